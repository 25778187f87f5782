import { jsonOfId } from './answer.js';
import type { Job } from './jobs.js';
import { objectOf } from './json-text.js';
import type { Change } from './record-store.js';

/** The body of a webhook about a job that ended. */
export function reportOfJob(job: Job, withRef: boolean): string {
  const head: [string, string][] = [['job_id', JSON.stringify(job.job_id)]];
  if (job.status === 'failed')
    return objectOf([['type', '"job.failed"'], ...head, ['reason', JSON.stringify(job.reason)]]);
  const result: [string, string][] = [['id', jsonOfId(job.id ?? '')]];
  if (withRef && job.ref !== null) result.push(['ref', JSON.stringify(job.ref)]);
  return objectOf([['type', '"job.done"'], ...head, ['result', objectOf(result)]]);
}

/** The body of a webhook about a write: what, which record, the record as the system keeps it. */
export function reportOfChange(change: Change, withRef: boolean): string {
  return objectOf([
    ['type', JSON.stringify(`${change.collection}.${change.change}`)],
    ['id', jsonOfId(change.id)],
    ...(withRef && change.ref !== null ? ([['ref', JSON.stringify(change.ref)]] as const) : []),
    ['revision', String(change.revision)],
    ['updated_at', JSON.stringify(change.at)],
    ...(withRef ? ([['record', change.raw]] as const) : []),
  ]);
}
