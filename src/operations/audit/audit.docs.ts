import { applyDecorators } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { describeRoute } from '../../platform/http/describe-route.js';

export function AuditListDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Admin'),
    ApiQuery({ name: 'actor', required: false, description: 'The name of an access key.' }),
    ApiQuery({ name: 'action', required: false, example: 'dead_letter.replay' }),
    ApiQuery({ name: 'subject', required: false, description: 'The id of what was acted on.' }),
    ApiQuery({ name: 'correlation_id', required: false }),
    ApiQuery({ name: 'from', required: false, description: 'RFC 3339.' }),
    ApiQuery({ name: 'to', required: false, description: 'RFC 3339.' }),
    ApiQuery({ name: 'cursor', required: false }),
    ApiQuery({ name: 'limit', required: false, example: 50 }),
    describeRoute({
      operationId: 'listAudit',
      summary: 'What people did by hand, newest first',
      description: 'Written in the transaction of the deed itself. Rows are only ever added.',
      security: ['access_key'],
      answers: {
        200: {
          description: 'A page.',
          example: {
            items: [
              {
                audit_id: '01890a5d-c0de-7000-8000-000000000003',
                at: '2025-01-01T04:00:00.123456Z',
                actor: 'ops',
                action: 'dead_letter.discard',
                subject: '01890a5d-ac96-774b-bcce-b302099a8057',
                reason: 'A test of the vendor.',
                correlation_id: 'checkout-7f3a',
                before: { status: 'DEAD', code: 'event.undecidable' },
                after: { status: 'COMPLETED', outcome: 'discarded' },
              },
            ],
          },
        },
      },
      codes: ['auth.failed', 'access.denied', 'request.invalid'],
    }),
  );
}
