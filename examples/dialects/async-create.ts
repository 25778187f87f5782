import { decodeSegment, json, jsonOfId, type Answer, type SystemRequest } from '../answer.js';
import type { Job } from '../jobs.js';
import { COLLECTIONS } from '../record-store.js';
import type { Dialect, DialectParts } from './dialect.js';
import { answerRest, readRecordBody, refuseRest } from './rest.js';

/**
 * The plain dialect, but a create is a job: 202 with its id, `GET /jobs/{id}` tells how it ended, and a webhook may
 * tell it too. Ids of records are numbers. What makes a job end is in `settings.jobs`.
 */
export const asyncCreate: Dialect = {
  nameId: (_, number) => String(number),
  settings: { jobs: { ends: 0 } },
  answer(parts, request) {
    const [, name, id] = request.url.pathname.split('/').map(decodeSegment);
    if (name === 'jobs' && id !== undefined && request.method === 'GET') return tell(parts.jobs.find(id));
    const collection = COLLECTIONS.find((known) => known === name);
    if (request.method !== 'POST' || collection === undefined || id !== undefined)
      return answerRest(parts, request, jsonOfId);
    return begin(parts, request, collection);
  },
  refuse: refuseRest,
};

function begin({ jobs }: DialectParts, request: SystemRequest, collection: Job['collection']): Answer {
  const body = readRecordBody(request.body);
  if (typeof body === 'string') return json(400, { error: body });
  const { job_id: id } = jobs.begin(collection, body, request.idempotencyKey);
  return json(202, { job_id: id, status: 'pending' }, { location: `/jobs/${id}` });
}

function tell(job: Job | undefined): Answer {
  if (job === undefined) return json(404, { error: 'there is no such job' });
  const { job_id: jobId, status, id, ref, reason } = job;
  if (status === 'failed') return json(200, { job_id: jobId, status, reason });
  if (id === null) return json(200, { job_id: jobId, status });
  const body = `{"job_id":${JSON.stringify(jobId)},"status":"done","result":{"id":${jsonOfId(id)},"ref":${JSON.stringify(ref)}}}`;
  return { status: 200, body, recordId: id };
}
