import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Code } from '../../domain/sync-error.js';
import { BODY_CODES } from '../../platform/http/body-codes.js';
import { describeRoute } from '../../platform/http/describe-route.js';
import { ResolveRequest, WriteBackRequest } from './mappings.dto.js';

const REFERENCE_CODES: readonly Code[] = ['system.unknown', 'entity_type.unknown', 'id.invalid'];

const INTERNAL_ID = '01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2a';
const ENTITY_WITH_IDS = {
  internal_id: INTERNAL_ID,
  entity_type: 'customer',
  mappings: [
    { system: 'crm', external_id: 'CRM-00123', role: 'primary', state: 'linked' },
    { system: 'erp', external_id: 'ERP-C456', role: 'primary', state: 'linked' },
    { system: 'wms', external_id: null, role: 'primary', state: 'due' },
  ],
};

export function MappingDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Map'),
    ApiParam({ name: 'system', example: 'crm' }),
    ApiParam({ name: 'entity_type', example: 'customer' }),
    ApiParam({ name: 'external_id', example: 'CRM-00123', description: 'Percent-encoded.' }),
    describeRoute({
      operationId: 'getMapping',
      summary: 'Internal id and every sibling of an external id',
      security: ['access_key'],
      answers: { 200: { description: 'The entity’s ids everywhere.', example: ENTITY_WITH_IDS } },
      codes: [
        'auth.failed',
        'access.denied',
        'mapping.not_found',
        'request.invalid',
        'system.unknown',
        'entity_type.unknown',
        'id.invalid',
      ],
    }),
  );
}

export function ResolveDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Map'),
    ApiBody({ type: ResolveRequest }),
    describeRoute({
      operationId: 'resolveMappings',
      summary: 'Look up to 1000 external ids up at once, optionally straight to another system’s ids',
      security: ['access_key'],
      answers: {
        200: {
          description: 'One result per item, in their order.',
          example: { results: [{ found: true, internal_id: INTERNAL_ID, external_id: 'ERP-C456' }, { found: false }] },
        },
      },
      codes: [...BODY_CODES, 'auth.failed', 'access.denied', 'request.invalid', ...REFERENCE_CODES],
    }),
  );
}

export function WriteBackDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Map'),
    ApiBody({ type: WriteBackRequest }),
    describeRoute({
      operationId: 'writeBackMapping',
      summary: 'Write back the id that an entity has in a system',
      description: 'Idempotent. A system may write back its own ids with its own api-key; people need `operator`.',
      security: ['access_key', 'api_key', 'password'],
      answers: {
        201: { description: 'The link is new.', example: ENTITY_WITH_IDS },
        200: { description: 'The link was there already.', example: ENTITY_WITH_IDS },
      },
      codes: [
        ...BODY_CODES,
        'auth.failed',
        'access.denied',
        'request.invalid',
        'entity.not_found',
        'mapping.conflict',
        ...REFERENCE_CODES,
      ],
    }),
  );
}
