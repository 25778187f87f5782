import { join } from 'node:path';
import { readEnvironment } from './platform/config/environment.js';
import { startEmbeddedPostgres } from './platform/database/embedded-postgres.js';
import { migrate } from './platform/database/migrate.js';

/** `npm run migrate`: brings the database to the newest schema and says what ran. The service does so at its start. */
const environment = readEnvironment(process.env);
if (environment.DATABASE_URL === undefined) {
  const dataFolder = join(environment.CROSSWALK_DATA, 'postgres');
  const postgres = await startEmbeddedPostgres({ dataFolder, report: console.log });
  report(await migrate(postgres.url).finally(() => postgres.stop()));
} else {
  report(await migrate(environment.DATABASE_URL));
}

function report(ran: readonly string[]): void {
  console.log(ran.length === 0 ? 'The schema is up to date.' : `Ran ${ran.join(', ')}.`);
}
