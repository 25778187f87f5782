import { join } from 'node:path';
import type { Environment } from '../config/environment.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';

export interface Postgres {
  readonly url: string;
  /** Stops a server of our own that was started for us; any other one goes on. */
  stop(): Promise<void>;
}

/** The server that DATABASE_URL names, or the embedded one of this data folder, started where it does not run. */
export async function openPostgres(
  environment: Pick<Environment, 'DATABASE_URL' | 'CROSSWALK_DATA'>,
  report: (progress: string) => void,
): Promise<Postgres> {
  if (environment.DATABASE_URL !== undefined) {
    return { url: environment.DATABASE_URL, stop: () => Promise.resolve() };
  }
  return startEmbeddedPostgres({ dataFolder: join(environment.CROSSWALK_DATA, 'postgres'), report });
}
