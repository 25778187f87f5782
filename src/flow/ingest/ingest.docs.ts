import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Code } from '../../domain/sync-error.js';
import { BODY_CODES } from '../../platform/http/body-codes.js';
import { describeRoute } from '../../platform/http/describe-route.js';
import { RETRY_SCHEMA } from './retry-schema.docs.js';

const EVENT_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const CORRELATION_ID = 'checkout-7f3a';

const ENVELOPE_EXAMPLE = {
  idempotency_key: 'customer:C-10042:v17',
  event_type: 'customer.updated',
  entity: { type: 'customer', external_id: 'C-10042' },
  version: 17,
  occurred_at: '2025-01-01T12:00:00.000+08:00',
  correlation_id: CORRELATION_ID,
  payload: { full_name: 'Ada Lovelace', contact: { email: 'ada@example.com' } },
};

const ENVELOPE_SCHEMA = {
  type: 'object',
  required: ['event_type', 'entity', 'payload'],
  additionalProperties: false,
  properties: {
    idempotency_key: {
      type: 'string',
      minLength: 1,
      description: 'Key of the business fact, 1 to 2048 bytes of NFC UTF-8; or in the `Idempotency-Key` header.',
    },
    event_type: { type: 'string', description: 'A name under `events` in the contract.' },
    entity: {
      type: 'object',
      required: ['type', 'external_id'],
      additionalProperties: false,
      properties: {
        type: { type: 'string' },
        external_id: { description: 'Text or number; 1 to 255 characters after normalisation.' },
        internal_id: { type: 'string', description: 'Our own id of it, where the sender keeps it with its record.' },
        system: { type: 'string', description: 'Whose id it is; default: the sender.' },
      },
    },
    links: {
      type: 'array',
      maxItems: 100,
      description:
        'Ids of the same thing in other systems. A link that contradicts the map, or that the sender may not make ' +
        '(`may_link` in the contract), becomes a conflict for a person to decide; the rest of the event is applied.',
      items: {
        type: 'object',
        required: ['system', 'external_id'],
        additionalProperties: false,
        properties: { system: { type: 'string' }, external_id: { description: 'Text or number.' } },
      },
    },
    version: { description: 'Digits, as a number or as text; needed where the entity type is ordered by version.' },
    occurred_at: { type: 'string', format: 'date-time' },
    state: { type: 'string', description: 'Only where the contract leaves the state to each event.' },
    expected_current_state: { type: 'string', description: 'Where you believe the entity to be.' },
    correlation_id: { type: 'string' },
    payload: { type: 'object' },
    retry: RETRY_SCHEMA,
  },
};

const CLOUD_EVENT_EXAMPLE = {
  specversion: '1.0',
  id: '3f0c9d7e',
  source: '/crm/customers',
  type: 'customer.updated',
  subject: 'C-10042',
  time: '2025-01-01T12:00:00.000+08:00',
  idempotencykey: 'customer:C-10042:v17',
  entityversion: 17,
  correlationid: CORRELATION_ID,
  data: ENVELOPE_EXAMPLE.payload,
};

const CLOUD_EVENT_SCHEMA = {
  type: 'object',
  required: ['specversion', 'id', 'source', 'type', 'subject', 'data'],
  description: 'A CloudEvent 1.0 in the JSON format. Other extensions are ignored.',
  properties: {
    specversion: { type: 'string', enum: ['1.0'] },
    id: { type: 'string', minLength: 1, description: 'Of this emission; never the idempotency key.' },
    source: { type: 'string', minLength: 1, description: 'Informative: who sends is proved by the credential.' },
    type: { type: 'string', description: 'The event type: a name under `events` in the contract.' },
    subject: { type: 'string', description: 'The external id.' },
    time: { type: 'string', format: 'date-time', description: 'When it happened.' },
    datacontenttype: { type: 'string', description: 'A JSON media type.' },
    data: { type: 'object' },
    idempotencykey: {
      type: 'string',
      minLength: 1,
      description: 'Key of the business fact; or in the `Idempotency-Key` header.',
    },
    entityversion: {
      description: 'Digits, as a number or as text; needed where the entity type is ordered by version.',
    },
    entitytype: { type: 'string', description: 'Needed where the contract leaves the entity type to the event (`*`).' },
    entitysystem: { type: 'string', description: 'Whose id `subject` is; default: the sender.' },
    maxretry: { description: 'As `retry.max_retry` of an envelope; a number or its digits.' },
    backoffbase: { description: 'As `retry.backoff_base`.' },
    backoffjitter: { description: 'As `retry.backoff_jitter`.' },
    retrycount: { description: 'As `retry.retry_count`.' },
    rejectreason: { type: 'string', description: 'As `retry.reject_reason`.' },
    correlationid: { type: 'string' },
    traceparent: { type: 'string' },
  },
};

const ACCEPTED = { event_id: EVENT_ID, verdict: 'accepted', correlation_id: CORRELATION_ID, status: 'RECEIVED' };
const DUPLICATE = {
  event_id: EVENT_ID,
  verdict: 'duplicate',
  correlation_id: CORRELATION_ID,
  status: 'COMPLETED',
  outcome: 'applied',
  internal_id: '01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2a',
};

const INGEST_CODES: readonly Code[] = [...BODY_CODES, 'storage.unavailable', 'door.overloaded', 'door.rate_limited'];
const ENVELOPE_CODES: readonly Code[] = [
  'envelope.invalid',
  'envelope.unknown_part',
  'envelope.unsupported_part',
  'key.missing',
  'key.invalid',
  'id.invalid',
  'version.invalid',
  'occurred_at.invalid',
  'occurred_at.in_future',
  'event_type.unknown',
  'entity_type.unknown',
  'entity_type.mismatch',
  'system.unknown',
  'state.unknown',
  'reference.invalid',
  'event.unstorable',
];

const correlationHeader = ApiHeader({
  name: 'X-Correlation-Id',
  required: false,
  description: 'Id of the whole business process; made where there is none, and returned.',
});

const preferHeader = ApiHeader({
  name: 'Prefer',
  required: false,
  description:
    '`wait=5` (RFC 7240): answer when the event has its final outcome, status `COMPLETED` or `DEAD`, or after so many ' +
    'seconds, at most 30. `Preference-Applied` in the answer says that it was waited; its absence that too many waited.',
  example: 'wait=5',
});

export function SingleDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Events in'),
    correlationHeader,
    preferHeader,
    ApiHeader({ name: 'Idempotency-Key', required: false }),
    ApiHeader({
      name: 'X-Crosswalk-Source',
      required: false,
      description: 'The system whose signature the request carries; not needed with an api-key.',
    }),
    describeRoute({
      operationId: 'sendEvent',
      summary: 'Hand in one event',
      description:
        'A 2xx means that the event is durable. Send it again after any other answer that may be retried. ' +
        'With a header `ce-specversion` the request is a CloudEvent in binary mode: the attributes stand in ' +
        'percent-encoded `ce-…` headers, the body is the data.',
      bodies: {
        'application/json': { schema: ENVELOPE_SCHEMA, examples: { update: { value: ENVELOPE_EXAMPLE } } },
        'application/cloudevents+json': {
          schema: CLOUD_EVENT_SCHEMA,
          examples: { update: { value: CLOUD_EVENT_EXAMPLE } },
        },
      },
      security: ['api_key', 'password', 'signature'],
      answers: {
        202: { description: 'Accepted: this is the first copy. Its outcome is not final yet.', example: ACCEPTED },
        200: {
          description:
            'Duplicate: the event id and the outcome of the first copy; the event id alone, without `status`, where the ' +
            'copy was recognised by the memory in Redis. Or, after `Prefer: wait`, accepted and with its final outcome.',
          example: DUPLICATE,
        },
      },
      codes: [...INGEST_CODES, ...ENVELOPE_CODES, 'key.conflict', 'auth.failed', 'access.denied'],
    }),
  );
}

export function BatchDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Events in'),
    correlationHeader,
    preferHeader,
    describeRoute({
      operationId: 'sendEvents',
      summary: 'Hand in up to 1000 events',
      bodies: {
        'application/json': {
          schema: { type: 'array', minItems: 1, maxItems: 1000, items: ENVELOPE_SCHEMA },
          examples: { two: { value: [ENVELOPE_EXAMPLE, { ...ENVELOPE_EXAMPLE, version: 'not-a-version' }] } },
        },
        'application/cloudevents-batch+json': {
          schema: { type: 'array', minItems: 1, maxItems: 1000, items: CLOUD_EVENT_SCHEMA },
          examples: { one: { value: [CLOUD_EVENT_EXAMPLE] } },
        },
      },
      description:
        'Answers 200 with one result for each item, in their order; good items are accepted whatever the others are. ' +
        'What is no JSON, or JSON that is not read (names twice, half a surrogate pair, an event nested more than 64 deep), ' +
        'is refused as a whole.',
      security: ['api_key', 'password', 'signature'],
      answers: {
        200: {
          description: 'One result per item. `refused` items carry the code that the single call would have answered.',
          example: {
            results: [
              { index: 0, ...ACCEPTED },
              {
                index: 1,
                verdict: 'refused',
                code: 'version.invalid',
                detail: 'A version is written in 1 to 38 digits, as a number or as text.',
                at: '/version',
                retryable: false,
              },
            ],
          },
        },
      },
      codes: [...INGEST_CODES, 'envelope.invalid', 'batch.empty', 'batch.too_large', 'auth.failed', 'access.denied'],
    }),
  );
}

export function WebhookDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Events in'),
    correlationHeader,
    preferHeader,
    ApiParam({ name: 'system', example: 'crm', description: 'The system that sends.' }),
    ApiBody({
      schema: { description: 'Whatever the vendor sends; the rules of the contract read it.' },
      examples: {
        payment: {
          value: {
            idempotent_key: 'PAY-20240315-0042:PAID',
            event_type: 'payment.completed',
            payment_id: 'PAY-20240315-0042',
            status: 'PAID',
            amount: 1299.0,
          },
        },
      },
    }),
    describeRoute({
      operationId: 'receiveWebhook',
      summary: 'Receive a vendor’s webhook',
      description:
        'Everything authentic and well formed is answered 200. What no rule reads is kept as a dead letter: ' +
        '`verdict` is then `unmatched`. Not kept, and to be sent again, is what comes beyond the `rate_limit` that the ' +
        'contract sets for the system (429), or while nothing can be stored (503): a 200 would be a promise. Where the ' +
        'contract reads `each` element of a list, the answer is `{ "results": [...] }` with one result per element; ' +
        'where it names an `answer`, that one as text. Forms are read as well as JSON.',
      security: ['signature', 'api_key', 'password'],
      answers: { 200: { description: 'Kept; `verdict` says as what.', example: ACCEPTED } },
      codes: [...INGEST_CODES, 'request.invalid', 'auth.failed', 'access.denied', 'resource.not_found'],
    }),
  );
}

export function HandshakeDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Events in'),
    ApiParam({ name: 'system', example: 'crm', description: 'The system that asks.' }),
    describeRoute({
      operationId: 'answerHandshake',
      summary: 'Answer a vendor that asks whether somebody is there',
      description:
        'What the contract says under `answer`, as text; nothing is stored. A rule may read the query: ' +
        '`{query/hub.challenge}`.',
      security: ['signature', 'api_key', 'password'],
      answers: { 200: { description: 'The answer of the contract.', example: '1158201444', mediaType: 'text/plain' } },
      codes: [...BODY_CODES, 'request.invalid', 'auth.failed', 'access.denied', 'resource.not_found'],
    }),
  );
}
