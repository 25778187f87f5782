import { applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import { CODES, type Code } from '../../domain/sync-error.js';
import { problemOf } from './problem.js';

export interface RouteDescription {
  /** Unique; generated clients name their method after it. */
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Request bodies by their media types, where there are several; a single one is an `ApiBody`. */
  readonly bodies?: Record<
    string,
    { readonly schema: object; readonly examples: Record<string, { readonly value: unknown }> }
  >;
  /** Security schemes of which one is needed; empty for an open route. */
  readonly security: readonly ('access_key' | 'api_key' | 'password' | 'signature')[];
  /** Each good answer with an example of it. */
  readonly answers: Readonly<Record<number, GoodAnswer>>;
  /** Every code that the route can refuse with, but for a database that is away, which no route is spared. */
  readonly codes: readonly Code[];
}

export interface GoodAnswer {
  readonly description: string;
  readonly example: object | string;
  /** Default: application/json. */
  readonly mediaType?: string;
}

/** OpenAPI for a route: its answers with examples, and one problem example for each code. */
export function describeRoute(route: RouteDescription): MethodDecorator {
  const good = Object.entries(route.answers).map(([status, { description, example, mediaType }]) =>
    ApiResponse({
      status: Number(status),
      description,
      content: {
        [mediaType ?? 'application/json']: {
          schema: { type: typeof example === 'string' ? 'string' : 'object' },
          example,
        },
      },
    }),
  );
  const byStatus = new Map<number, Code[]>();
  // Whoever has to identify himself asks for something that lies in the database.
  const codes = new Set<Code>([
    ...route.codes,
    ...(route.security.length === 0 ? [] : (['storage.unavailable'] as const)),
  ]);
  for (const code of codes) byStatus.set(CODES[code].status, [...(byStatus.get(CODES[code].status) ?? []), code]);
  const bad = [...byStatus].map(([status, codes]) =>
    ApiResponse({
      status,
      description: codes.map((code) => `\`${code}\`: ${CODES[code].title}.`).join(' '),
      content: {
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/Problem' },
          examples: Object.fromEntries(
            codes.map((code) => [code, { value: problemOf(code, `${CODES[code].title}.`) }]),
          ),
        },
      },
    }),
  );
  const { operationId, summary, description, bodies } = route;
  return applyDecorators(
    ApiOperation({
      operationId,
      summary,
      ...(description === undefined ? {} : { description }),
      ...(bodies === undefined ? {} : { requestBody: { required: true, content: bodies } }),
    }),
    ...route.security.map((scheme) => ApiSecurity(scheme)),
    ...good,
    ...bad,
  );
}
