import { SyncError, type Code } from '../../src/domain/sync-error.js';

export interface Refusal {
  readonly code: Code;
  readonly at?: string;
}

/** The code of the SyncError that `act` throws, with its place if it has one; anything else is thrown on. */
export function refusalOf(act: () => unknown): Refusal | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return error.at === undefined ? { code: error.code } : { code: error.code, at: error.at };
  }
}
