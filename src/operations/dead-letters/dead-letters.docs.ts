import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { BODY_CODES } from '../../platform/http/body-codes.js';
import { describeRoute } from '../../platform/http/describe-route.js';
import { EditRequest, LetterRequest } from './dead-letters.dto.js';
import { FILTER_WORDS } from './letter-filter.js';

const EVENT_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const DELIVERY_ID = 'erp:01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2a';

const LETTER = {
  letter_id: DELIVERY_ID,
  kind: 'delivery',
  reason_code: 'target.refused',
  reason: 'erp answered 422: {"error":"email invalid"}',
  class: 'final',
  attempts: 1,
  dead_at: '2025-01-01T04:00:00.123456Z',
  target: 'erp',
  source: 'crm',
  event_id: EVENT_ID,
  event_type: 'customer.updated',
  idempotency_key: 'customer:C-10042:v17',
  entity: { type: 'customer', system: 'crm', external_id: 'C-10042' },
  internal_id: '01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2a',
  correlation_id: 'checkout-7f3a',
  wanted_revision: 3,
  reached_revision: 2,
  etag: '"52-17"',
};

const letterParam = ApiParam({
  name: 'letter_id',
  description: 'The id of the event, or `target:internal_id` of the delivery.',
  example: DELIVERY_ID,
});
const ifMatch = ApiHeader({
  name: 'If-Match',
  required: false,
  description: 'The `etag` of the letter that was looked at; another one is answered 412.',
});
const filters = FILTER_WORDS.map((name) => ApiQuery({ name, required: false }));
export const READ_CODES = ['auth.failed', 'access.denied', 'request.invalid'] as const;
export const WRITE_CODES = [...BODY_CODES, ...READ_CODES, 'storage.unavailable'] as const;

export function LetterListDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Dead letters'),
    ...filters,
    ApiQuery({ name: 'cursor', required: false }),
    ApiQuery({ name: 'limit', required: false, example: 50 }),
    describeRoute({
      operationId: 'listDeadLetters',
      summary: 'What was given up, newest first',
      security: ['access_key'],
      answers: { 200: { description: 'A page.', example: { items: [LETTER] } } },
      codes: READ_CODES,
    }),
  );
}

export function LetterGroupsDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Dead letters'),
    ...filters,
    describeRoute({
      operationId: 'groupDeadLetters',
      summary: 'What was given up, counted by reason, target or source, and event type',
      security: ['access_key'],
      answers: {
        200: {
          description: 'The largest groups first; `is_complete` is false when there are more than 500.',
          example: {
            is_complete: true,
            items: [
              {
                kind: 'delivery',
                reason_code: 'target.refused',
                class: 'final',
                target: 'erp',
                event_type: 'customer.updated',
                count: 120,
                oldest: '2025-01-01T03:00:00.000000Z',
                newest: '2025-01-01T04:00:00.123456Z',
              },
            ],
          },
        },
      },
      codes: READ_CODES,
    }),
  );
}

export function LetterDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Dead letters'),
    letterParam,
    describeRoute({
      operationId: 'getDeadLetter',
      summary: 'One letter: its reason, its attempts, what was sent, and what a replay would do',
      security: ['access_key'],
      answers: {
        200: {
          description: 'With its `ETag`, which `If-Match` of a repair takes.',
          example: {
            ...LETTER,
            payload: { full_name: 'Ada Lovelace' },
            history: [
              {
                at: '2025-01-01T04:00:00.123456Z',
                event_id: EVENT_ID,
                status: 'DEAD',
                reason_code: 'target.refused',
                attempt: 1,
              },
            ],
            replay: 'erp is called at once with the newest state of the entity, whatever was to be sent at first.',
          },
        },
      },
      codes: [...READ_CODES, 'dead_letter.not_found'],
    }),
  );
}

export function ReplayDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Dead letters'),
    letterParam,
    ifMatch,
    ApiBody({ type: LetterRequest }),
    describeRoute({
      operationId: 'replayDeadLetter',
      summary: 'Take one letter up again',
      description:
        'An event is processed under its own key and passes every gate; a delivery sends the newest state; a webhook ' +
        'that no rule read is read again by the contract of today, and closed when nothing in it is left unread. The ' +
        'attempts before stay in the trace, new ones are counted from one. Where newer work took the place of a ' +
        'delivery’s letter, nothing is done and `outcome` says `superseded`.',
      security: ['access_key'],
      answers: {
        200: {
          description: 'What became of it. For a webhook: `event_id`, `status` and one result per event in it.',
          example: {
            letter_id: DELIVERY_ID,
            kind: 'delivery',
            outcome: 'replayed',
            detail: 'erp is called at once with the newest state of the entity, whatever was to be sent at first.',
          },
        },
      },
      codes: [
        ...WRITE_CODES,
        'event.not_found',
        'dead_letter.not_found',
        'dead_letter.not_replayable',
        'dead_letter.changed',
        'door.overloaded',
      ],
    }),
  );
}

export function EditDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Dead letters'),
    letterParam,
    ifMatch,
    ApiBody({ type: EditRequest }),
    describeRoute({
      operationId: 'editDeadLetter',
      summary: 'Send a dead event once more with other content',
      description:
        'The edited envelope is read as the door would read it, and becomes an event of its own under a key made of ' +
        'the old one; the letter ends as `edited` in the same transaction. The same edit made twice is one event.',
      security: ['access_key'],
      answers: {
        200: {
          description: 'The new event, and what the edit changed.',
          example: {
            letter_id: EVENT_ID,
            outcome: 'edited',
            verdict: 'accepted',
            event_id: '01890a5d-ac96-774b-bcce-b302099a8058',
            idempotency_key: 'customer:C-10042:v17~edited',
            correlation_id: 'checkout-7f3a',
            changes: [{ at: '/payload/quantity', before: 'ten', after: 10 }],
          },
        },
      },
      codes: [
        ...WRITE_CODES,
        'event.not_found',
        'dead_letter.not_found',
        'dead_letter.not_editable',
        'dead_letter.changed',
        'envelope.invalid',
        'envelope.unknown_part',
        'id.invalid',
        'version.invalid',
        'occurred_at.invalid',
        'occurred_at.in_future',
        'event_type.unknown',
        'entity_type.unknown',
        'entity_type.mismatch',
        'system.unknown',
        'reference.invalid',
        'event.unstorable',
      ],
    }),
  );
}

export function DiscardDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Dead letters'),
    letterParam,
    ifMatch,
    ApiBody({ type: LetterRequest }),
    describeRoute({
      operationId: 'discardDeadLetter',
      summary: 'End one letter without doing what it asked for',
      description:
        'An event ends with the outcome `discarded` and keeps its key. A target whose delivery is discarded stays ' +
        'behind until the next revision of the entity.',
      security: ['access_key'],
      answers: {
        200: {
          description: 'It is closed.',
          example: {
            letter_id: DELIVERY_ID,
            kind: 'delivery',
            outcome: 'discarded',
            detail: 'erp stays behind until the next revision of the entity, which brings it up to date as a whole.',
          },
        },
      },
      codes: [...WRITE_CODES, 'dead_letter.not_found', 'dead_letter.changed'],
    }),
  );
}
