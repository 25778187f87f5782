import type { Tx } from './database.js';
import { releaseSavepoint, rollBackToSavepoint, setSavepoint } from './savepoint.sql.js';

/** A part of a transaction that can be taken back, with the locks that it took; also after a statement in it failed. */
export class Savepoint {
  private constructor(private readonly tx: Tx) {}

  static async set(tx: Tx): Promise<Savepoint> {
    await setSavepoint(tx);
    return new Savepoint(tx);
  }

  /** Takes back what was done since; from here it can be done in another way, and taken back again. */
  rollBack(): Promise<void> {
    return rollBackToSavepoint(this.tx);
  }

  /** What was done since stays. To be called before a savepoint around this one is used: the inner one hides it. */
  keep(): Promise<void> {
    return releaseSavepoint(this.tx);
  }
}
