import { databaseFault, isDatabaseError } from './database-fault.js';

/** @throws Error that says which database did not answer, or the error as it was */
export function explainUnreachable(error: unknown): never {
  if (!isDatabaseError(error) || databaseFault(error) !== 'unavailable') throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new Error(`The database cannot be used (${reason}). Check DATABASE_URL and that PostgreSQL runs.`);
}
