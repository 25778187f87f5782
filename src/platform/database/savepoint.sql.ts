import type { Tx } from './database.js';

export async function setSavepoint(tx: Tx): Promise<void> {
  await tx.query('SAVEPOINT attempt');
}

export async function rollBackToSavepoint(tx: Tx): Promise<void> {
  await tx.query('ROLLBACK TO SAVEPOINT attempt');
}

export async function releaseSavepoint(tx: Tx): Promise<void> {
  await tx.query('RELEASE SAVEPOINT attempt');
}
