import { codeClass, DATABASE_FAULT_CLASSES, type FailureClass } from '../../domain/failure-class.js';
import { SyncError } from '../../domain/sync-error.js';
import { databaseFault, isDatabaseError } from '../../platform/database/database-fault.js';

/**
 * What an error that ended a piece of work means for it. `unrecordable`: there is no database to record a failure in;
 * the lease brings the work back, and no attempt is spent. What nobody foresaw is a bug of ours, which may pass.
 */
export function classOfError(error: unknown): FailureClass | 'unrecordable' {
  if (error instanceof SyncError) return codeClass(error.code);
  const fault = isDatabaseError(error) ? databaseFault(error) : 'bug';
  return fault === 'unavailable' ? 'unrecordable' : DATABASE_FAULT_CLASSES[fault];
}
