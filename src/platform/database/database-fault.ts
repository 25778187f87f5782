import type { DatabaseFault } from '../../domain/failure-class.js';

/**
 * Which fault an error of the database is; what that means for work is decided in `failure-class.ts`.
 *
 * Source: PostgreSQL documentation, appendix A (error codes).
 */
export function databaseFault(error: unknown): DatabaseFault {
  const state = sqlState(error);
  if (state === undefined) return 'unavailable';
  if (BLOCKED_STATES.has(state)) return 'blocked';
  if (state === TOO_SLOW) return 'slow';
  if (state === IDLE_IN_TRANSACTION) return 'idle';
  const stateClass = state.slice(0, 2);
  // A day without a partition is our fault and not the item's; it is mended as soon as the partition is made.
  if (error instanceof Error && NO_PARTITION.test(error.message)) return 'unavailable';
  if (ITEM_CLASSES.has(stateClass)) return 'item';
  return stateClass === '42' ? 'bug' : 'unavailable';
}

export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === '23505';
}

/** Whether this is an error that the database or its driver reported, and no bug of ours. */
export function isDatabaseError(error: unknown): boolean {
  return sqlState(error) !== undefined || (error instanceof Error && CONNECTION_TROUBLE.test(error.message));
}

/**
 * Whether the database says itself that it cannot take anything in, whatever it is asked to: no disk, no memory, no
 * partition, read-only. A connection that only breaks says nothing of the kind: it may be the statement that breaks it.
 */
export function saysThatItCannot(error: unknown): boolean {
  const state = sqlState(error);
  if (state === undefined) return false;
  const isWithoutPartition = error instanceof Error && NO_PARTITION.test(error.message);
  return isWithoutPartition || OUT_OF_ORDER_CLASSES.has(state.slice(0, 2)) || state === READ_ONLY;
}

function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}

/** Lock not available, deadlock, serialisation failure, no room for more locks (or none for anything else). */
const BLOCKED_STATES: ReadonlySet<string> = new Set(['55P03', '40P01', '40001', '53200']);
/** Statement cancelled by its time-out. */
const TOO_SLOW = '57014';
/** The session was ended because its transaction stood still: `idle_in_transaction_session_timeout`. */
const IDLE_IN_TRANSACTION = '25P03';
/** Data exception, integrity violation, program limit exceeded. */
const ITEM_CLASSES: ReadonlySet<string> = new Set(['22', '23', '54']);
/** Insufficient resources, system error. */
const OUT_OF_ORDER_CLASSES: ReadonlySet<string> = new Set(['53', '58']);
const READ_ONLY = '25006';
const NO_PARTITION = /^no partition of relation/;
const CONNECTION_TROUBLE =
  /ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable/;
