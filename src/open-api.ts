import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

const PROBLEM_SCHEMA = {
  type: 'object' as const,
  description: 'RFC 9457; each `code` has a heading in docs/errors.md.',
  required: ['type', 'title', 'status', 'code', 'detail'],
  properties: {
    type: { type: 'string' as const },
    title: { type: 'string' as const },
    status: { type: 'integer' as const },
    code: { type: 'string' as const },
    detail: { type: 'string' as const },
    at: { type: 'string' as const, description: 'JSON Pointer to the part of the request in question.' },
  },
};

/** OpenAPI 3.1 of every route, with examples. */
export function describeApi(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Crosswalk')
    .setDescription('One identity per business object, every business event once in effect.')
    .setVersion('1')
    .addSecurity('access_key', { type: 'http', scheme: 'bearer', description: 'Access key of a person or a tool.' })
    .addSecurity('api_key', {
      type: 'apiKey',
      in: 'header',
      name: 'X-Api-Key',
      description: 'Credential of a system; the contract may name another header.',
    })
    .addSecurity('password', {
      type: 'http',
      scheme: 'basic',
      description: 'User and password of a system, where the contract gives it the scheme `basic`.',
    })
    .addSecurity('signature', {
      type: 'apiKey',
      in: 'header',
      name: 'webhook-signature',
      description:
        'Standard Webhooks 1.0, together with `webhook-id` and `webhook-timestamp`. Where the contract names another ' +
        'scheme (`svix`, `stripe`, `shopify`, `github`, `hmac`), the headers of that one.',
    })
    .build();
  const document = SwaggerModule.createDocument(app, config);
  return {
    ...document,
    components: { ...document.components, schemas: { ...document.components?.schemas, Problem: PROBLEM_SCHEMA } },
  };
}
