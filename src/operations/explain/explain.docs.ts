import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { BODY_CODES } from '../../platform/http/body-codes.js';
import { describeRoute } from '../../platform/http/describe-route.js';

const EXPLAIN_SCHEMA = {
  type: 'object',
  required: ['system'],
  description: 'Exactly one of `body`, `raw` and `envelope`.',
  properties: {
    system: { type: 'string', description: 'Who would send it.' },
    body: { description: 'The JSON of a webhook.' },
    raw: { type: 'string', description: 'The body of a webhook as text, such as a form.' },
    headers: { type: 'object', description: 'Headers that rules read.' },
    query: { type: 'object', description: 'Parameters that rules read.' },
    envelope: { type: 'object', description: 'What would go to `POST /v1/events`.' },
  },
};

export function ExplainDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Look up'),
    ApiBody({
      schema: EXPLAIN_SCHEMA,
      examples: {
        webhook: {
          value: {
            system: 'crm',
            body: { event_type: 'customer.updated', customer_id: 'C-10042', version: 17, full_name: 'Ada Lovelace' },
          },
        },
      },
    }),
    describeRoute({
      operationId: 'explainKey',
      summary: 'Say what a payload would be, without storing it',
      description:
        'Event type, key, entity, strategy and verdict, one result per event. `warnings` name what may be wrong with ' +
        'the key: `too_coarse` (different facts share it), `too_fine` (one fact has several), `time_stamp`, ' +
        '`message_id` and `not_signed` (what it is made of). Of a list the first 20 elements are explained; `left_off` counts the others. A system may ask about what it sends itself.',
      security: ['access_key', 'api_key', 'password'],
      answers: {
        200: {
          description: 'What it would be.',
          example: {
            results: [
              {
                verdict: 'accepted',
                event_type: 'customer.updated',
                idempotency_key: 'customer:C-10042:v17',
                scope: 'crm:customer.updated',
                entity: { system: 'crm', type: 'customer', external_id: 'C-10042' },
                version: '17',
                strategy: 'overwrite',
                order_by: 'version',
                deliver_to: ['erp', 'wms'],
                warnings: [],
              },
            ],
          },
        },
      },
      codes: [
        ...BODY_CODES,
        'auth.failed',
        'access.denied',
        'request.invalid',
        'system.unknown',
        'storage.unavailable',
      ],
    }),
  );
}
