import { applyDecorators } from '@nestjs/common';
import { ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { describeRoute } from '../../platform/http/describe-route.js';

const EVENT_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const INTERNAL_ID = '01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2a';
const OTHER_INTERNAL_ID = '01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2b';

const EVENT = {
  event_id: EVENT_ID,
  source: 'crm',
  event_type: 'customer.updated',
  idempotency_key: 'customer:C-10042:v17',
  entity: { system: 'crm', type: 'customer', external_id: 'C-10042' },
  version: '17',
  correlation_id: 'checkout-7f3a',
  received_at: '2025-01-01T04:00:00.123456Z',
  status: 'COMPLETED',
  outcome: 'applied',
  internal_id: INTERNAL_ID,
  revision: 3,
  contract: { read: 4, decided: 4 },
};
const HOPS = [
  { at: '2025-01-01T04:00:00.123456Z', event_id: EVENT_ID, node: 'crm', status: 'RECEIVED' },
  { at: '2025-01-01T04:00:00.130000Z', event_id: EVENT_ID, node: 'worker', status: 'PROCESSING' },
  {
    at: '2025-01-01T04:00:00.140000Z',
    event_id: EVENT_ID,
    node: 'worker',
    status: 'COMPLETED',
    outcome: 'applied',
    contract: 4,
  },
  { at: '2025-01-01T04:00:00.190000Z', event_id: EVENT_ID, node: 'erp', status: 'DELIVERED', external_id: 'ERP-C456' },
];
const DELIVERY = {
  target: 'erp',
  status: 'delivered',
  wanted_revision: 3,
  reached_revision: 3,
  dirty: false,
  attempts: 1,
  delivered_at: '2025-01-01T04:00:00.190000Z',
};

const paging = [
  ApiQuery({ name: 'cursor', required: false, description: '`next_cursor` of the former page.' }),
  ApiQuery({ name: 'limit', required: false, example: 50, description: '1 to 500, default 50.' }),
];

export function WhyDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Look up'),
    ApiParam({ name: 'event_id', example: EVENT_ID }),
    describeRoute({
      operationId: 'getEventWhy',
      summary: 'Why an event was applied, is stale, waits, was refused or was given up, in words',
      description:
        '`why` is a sentence or two for a person; what a program should look at is `reason_code`. `waits_for` names ' +
        'what a parked event waits for, of which any will do.',
      security: ['access_key'],
      answers: {
        200: {
          description: 'What became of the event, and why.',
          example: {
            event_id: EVENT_ID,
            status: 'PARKED',
            reason_code: 'state.not_reached',
            why: 'It waits and spends no attempt. The order is in CREATED; PAID has to come first. It is given up if that does not happen by 2025-01-02T04:00:00.130000Z.',
            waits_for: [{ kind: 'state', internal_id: INTERNAL_ID, states: ['PAID'] }],
            waits_until: '2025-01-02T04:00:00.130000Z',
            trace: HOPS.slice(0, 2),
          },
        },
      },
      codes: ['auth.failed', 'access.denied', 'event.not_found'],
    }),
  );
}

export function EventDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Look up'),
    ApiParam({ name: 'event_id', example: EVENT_ID }),
    describeRoute({
      operationId: 'getEvent',
      summary: 'One event: what it said, what became of it, and where it went',
      description:
        'COMPLETED means that the effect is committed; deliveries have a status of their own. `contract` holds the ' +
        'numbers of the contracts that read the event at the door and that decided it. `request` holds the headers and the ' +
        'query of a webhook that no rule could read. `retry` is what the sender asked for and told. Hops of attempts ' +
        'have `retry_count`, and after a failure `retry_interval` (seconds before the attempt) and `reject_reason`.',
      security: ['access_key'],
      answers: {
        200: {
          description: 'The event.',
          example: {
            ...EVENT,
            links: [{ system: 'erp', external_id: 'ERP-C456' }],
            payload: { full_name: 'Ada Lovelace' },
            trace: HOPS,
            deliveries: [DELIVERY],
          },
        },
      },
      codes: ['auth.failed', 'access.denied', 'event.not_found'],
    }),
  );
}

export function EventListDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Look up'),
    ApiQuery({ name: 'idempotency_key', required: false }),
    ApiQuery({ name: 'correlation_id', required: false }),
    ApiQuery({ name: 'event_type', required: false, example: 'customer.updated' }),
    ApiQuery({ name: 'source', required: false, example: 'crm' }),
    ApiQuery({ name: 'entity', required: false, example: 'crm:customer:C-10042' }),
    ApiQuery({
      name: 'status',
      required: false,
      enum: ['RECEIVED', 'PROCESSING', 'COMPLETED', 'FAILED', 'PARKED', 'DEAD'],
    }),
    ApiQuery({ name: 'from', required: false, example: '2025-01-01T00:00:00Z', description: 'Received at or after.' }),
    ApiQuery({ name: 'to', required: false, example: '2025-01-02T00:00:00Z', description: 'Received before.' }),
    ...paging,
    describeRoute({
      operationId: 'listEvents',
      summary: 'Events, newest first',
      security: ['access_key'],
      answers: { 200: { description: 'A page.', example: { items: [EVENT], next_cursor: 'MDE4OTBhNWQ' } } },
      codes: ['auth.failed', 'access.denied', 'request.invalid'],
    }),
  );
}

export function TraceDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Look up'),
    ApiParam({ name: 'correlation_id', example: 'checkout-7f3a' }),
    describeRoute({
      operationId: 'getTrace',
      summary: 'One business process over all systems, in order',
      security: ['access_key'],
      answers: {
        200: {
          description: 'Its events and hops.',
          example: { correlation_id: 'checkout-7f3a', is_complete: true, events: [EVENT], hops: HOPS },
        },
      },
      codes: ['auth.failed', 'access.denied', 'trace.not_found'],
    }),
  );
}

export function EntityDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Look up'),
    ApiParam({ name: 'entity_type', example: 'customer' }),
    ApiParam({ name: 'internal_id', example: INTERNAL_ID }),
    describeRoute({
      operationId: 'getEntity',
      summary: 'One entity: composed data, records, references, ids, deliveries',
      description:
        'An id that is known by a reference only has no entity yet: 404 until its own first event. `references` names the ' +
        'entities that the records refer to, each with the place in the payload of its source. A record that its source ' +
        'deleted carries `deleted: true`; so does the entity when all of them are. Where the entity type has states, `state` ' +
        'is the current one and `path` how it came there, with the events that moved it.',
      security: ['access_key'],
      answers: {
        200: {
          description: 'The entity.',
          example: {
            internal_id: INTERNAL_ID,
            entity_type: 'customer',
            revision: 3,
            data: { name: 'Ada Lovelace' },
            records: [{ source: 'crm', system: 'crm', external_id: 'C-10042', order_value: '17' }],
            references: [
              { path: '/account_id', entity_type: 'account', internal_id: OTHER_INTERNAL_ID, source: 'crm' },
            ],
            mappings: [{ system: 'crm', external_id: 'C-10042', role: 'primary', state: 'linked' }],
            deliveries: [DELIVERY],
          },
        },
      },
      codes: ['auth.failed', 'access.denied', 'entity.not_found'],
    }),
  );
}

export function PendingCreateDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Look up'),
    ApiQuery({ name: 'system', required: false, example: 'erp' }),
    ...paging,
    describeRoute({
      operationId: 'listPendingCreates',
      summary: 'Records that targets do not have yet, oldest first',
      security: ['access_key'],
      answers: {
        200: {
          description: 'A page.',
          example: {
            items: [
              {
                pending_create_id: '01890a5d-c0de-7000-8000-000000000001',
                system: 'erp',
                entity_type: 'customer',
                internal_id: INTERNAL_ID,
                state: 'unknown',
              },
            ],
          },
        },
      },
      codes: ['auth.failed', 'access.denied', 'request.invalid', 'system.unknown'],
    }),
  );
}
