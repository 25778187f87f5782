import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { BODY_CODES } from '../../platform/http/body-codes.js';
import { describeRoute } from '../../platform/http/describe-route.js';
import { ReplayRequest } from './dead-letters.dto.js';

export function ConflictListDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Admin'),
    ApiQuery({ name: 'status', required: false, enum: ['open', 'decided'], description: 'Default: open.' }),
    ApiQuery({ name: 'kind', required: false, enum: ['key', 'version', 'link', 'find'] }),
    ApiQuery({ name: 'cursor', required: false }),
    ApiQuery({ name: 'limit', required: false, example: 50 }),
    describeRoute({
      operationId: 'listConflicts',
      summary: 'Questions that only a person may decide, newest first',
      security: ['access_key'],
      answers: {
        200: {
          description: 'A page.',
          example: {
            items: [
              {
                conflict_id: '01890a5d-c0de-7000-8000-000000000002',
                kind: 'key',
                status: 'open',
                system: 'crm',
                entity_type: 'customer',
                external_id: 'C-10042',
                event_id: '01890a5d-ac96-774b-bcce-b302099a8058',
                candidates: [
                  { event_id: '01890a5d-ac96-774b-bcce-b302099a8057', role: 'kept' },
                  { event_id: '01890a5d-ac96-774b-bcce-b302099a8058', role: 'set_aside' },
                ],
              },
            ],
          },
        },
      },
      codes: ['auth.failed', 'access.denied', 'request.invalid'],
    }),
  );
}

export function ReplayDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Admin'),
    ApiParam({ name: 'event_id', description: 'Of the webhook that no rule could read.' }),
    ApiBody({ type: ReplayRequest }),
    describeRoute({
      operationId: 'replayDeadLetter',
      summary: 'Read a kept webhook again, by the contract of today',
      description:
        'Everything in it that can be read now is remembered as if it came now, under the same keys: what was ' +
        'remembered before is a duplicate. The letter is closed when nothing in it is left unread.',
      security: ['access_key'],
      answers: {
        200: {
          description: 'What became of it.',
          example: {
            event_id: '01890a5d-ac96-774b-bcce-b302099a8057',
            status: 'COMPLETED',
            results: [
              {
                event_id: '01890a5d-ac96-774b-bcce-b302099a8058',
                verdict: 'accepted',
                correlation_id: 'checkout-7f3a',
                status: 'RECEIVED',
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
        'event.not_found',
        'dead_letter.not_replayable',
        'storage.unavailable',
        'door.overloaded',
      ],
    }),
  );
}
