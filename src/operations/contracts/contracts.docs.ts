import { applyDecorators } from '@nestjs/common';
import { ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { describeRoute } from '../../platform/http/describe-route.js';

const CONTRACT = {
  number: 4,
  is_active: true,
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  first_active_at: '2025-01-01T04:00:00.123456Z',
  active_since: '2025-01-01T04:00:00.123456Z',
  accepted_by: 'ada',
  accepted_at: '2025-01-01T04:00:00.123456Z',
  accepted_against: 3,
};
const NUMBER = ApiParam({ name: 'number', example: 4 });

export function ContractListDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Admin'),
    describeRoute({
      operationId: 'listContracts',
      summary: 'Every contract that was active, the newest first',
      description:
        'A number stands for one text: a former text that is served again is active again under its old number. ' +
        '`accepted_…` is there where somebody accepted a contract that contradicted what was stored.',
      security: ['access_key'],
      answers: { 200: { description: 'All of them.', example: { items: [CONTRACT] } } },
      codes: ['auth.failed', 'access.denied', 'request.invalid'],
    }),
  );
}

export function ContractDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Admin'),
    NUMBER,
    describeRoute({
      operationId: 'getContract',
      summary: 'One contract with its text',
      description: 'The text is the file as it was served: secrets stand in it as `${NAME}`, never as values.',
      security: ['access_key'],
      answers: { 200: { description: 'The contract.', example: { ...CONTRACT, text: 'systems:\n  crm: …\n' } } },
      codes: ['auth.failed', 'access.denied', 'request.invalid', 'contract.not_found'],
    }),
  );
}

export function ContractDiffDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Admin'),
    NUMBER,
    ApiQuery({ name: 'against', required: false, example: 3, description: 'Default: the number before.' }),
    describeRoute({
      operationId: 'diffContracts',
      summary: 'What a contract changed against another one',
      description:
        '`is_dangerous`: the change contradicts what is stored, if there is any; `meaning` says how. ' +
        'Such a contract becomes active only by `crosswalk contract migrate --accept`.',
      security: ['access_key'],
      answers: {
        200: {
          description: 'The differences, dangerous ones first.',
          example: {
            number: 4,
            against: 3,
            changes: [
              {
                kind: 'key_template',
                path: 'systems.crm.ingest.webhooks[0].idempotency_key',
                line: 12,
                before: 'customer:{/id}:v{/version}',
                after: 'customer:{/id}',
                is_dangerous: true,
                summary:
                  'systems.crm.ingest.webhooks[0].idempotency_key: customer:{/id}:v{/version} became customer:{/id}',
                meaning: 'A fact that comes again gets another key than before and is applied a second time.',
              },
            ],
          },
        },
      },
      codes: ['auth.failed', 'access.denied', 'request.invalid', 'contract.not_found'],
    }),
  );
}
