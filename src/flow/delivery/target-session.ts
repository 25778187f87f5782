import { performance } from 'node:perf_hooks';
import { createCallKey, updateCallKey } from '../../domain/business-key.js';
import type { TargetCall } from '../../domain/contract/target-call.js';
import type { Json } from '../../domain/json/json.js';
import { passportHeaders } from '../../domain/retry-passport.js';
import type { DatabaseClock } from '../../platform/database/database-clock.js';
import { LeaseLost } from '../work/work.js';
import { SyncError } from '../../domain/sync-error.js';
import type { Attempt, AttemptFailed } from './attempt.js';
import { makeBody, type BodyInput } from './body-mapping.js';
import { readAnswer, type ReadAnswer } from './target-answer.js';
import type { TargetClient } from './target-client.js';
import { outgoingTraceparent } from './trace-context.js';

/** The calls of one attempt, each with our headers and within what is left of the attempt's time. */
export class TargetSession {
  constructor(
    private readonly client: TargetClient,
    private readonly clock: DatabaseClock,
    private readonly attempt: Attempt,
  ) {}

  find(call: TargetCall): Promise<ReadAnswer> {
    return this.send(call, undefined, {});
  }

  create(call: TargetCall): Promise<ReadAnswer> {
    const key = createCallKey(this.attempt.target, this.attempt.internalId);
    return this.send(call, undefined, { 'idempotency-key': key });
  }

  update(call: TargetCall, externalId: string): Promise<ReadAnswer> {
    const { target, internalId, fence } = this.attempt;
    return this.send(call, externalId, { 'idempotency-key': updateCallKey(target, internalId, fence) });
  }

  private async send(
    call: TargetCall,
    externalId: string | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<ReadAnswer> {
    const { attempt } = this;
    const mapping: Json = externalId === undefined ? null : new Map([['external_id', externalId]]);
    if (externalId !== undefined && DOT_SEGMENT.test(externalId)) return dotSegment(externalId);
    const made = await makeBodyOrRefuse(call, { ...attempt.input, mapping });
    if (made.kind === 'failed') return made;
    const timeoutMs = Math.min(attempt.rules.timeoutMs, Math.floor(attempt.deadlineMs - performance.now()));
    // Frozen past its lease, this process may no longer speak for the entity: another one does.
    if (timeoutMs <= 0) throw new LeaseLost([attempt.internalId]);
    const end = await this.client.send(attempt.rules, {
      call,
      internalId: attempt.internalId,
      externalId,
      body: made.body,
      headers: {
        accept: 'application/json',
        'x-correlation-id': attempt.correlationId,
        ...passportHeaders(attempt, attempt.retry),
        traceparent: outgoingTraceparent(attempt.traceparent, attempt.correlationId),
        ...headers,
      },
      timeoutMs,
    });
    return readAnswer(end, this.clock.nowMs());
  }
}

/** URLs fold these away, encoded or not: the call would go to another path of the target. */
const DOT_SEGMENT = /^\.{1,2}$/;

function dotSegment(externalId: string): AttemptFailed {
  const detail = `The external id \`${externalId}\` cannot stand in a path.`;
  return { kind: 'failed', code: 'target.unmappable', detail, class: 'final', mayHaveArrived: false };
}

/** A body that cannot be made today cannot be made tomorrow either: the contract or the data has to change. */
async function makeBodyOrRefuse(
  call: TargetCall,
  input: BodyInput,
): Promise<{ readonly kind: 'made'; readonly body: string | undefined } | AttemptFailed> {
  if (call.body === undefined) return { kind: 'made', body: undefined };
  try {
    return { kind: 'made', body: await makeBody(call.body, input) };
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return { kind: 'failed', code: error.code, detail: error.message, class: 'final', mayHaveArrived: false };
  }
}
