import { applyDecorators } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { describeRoute } from '../../platform/http/describe-route.js';

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
