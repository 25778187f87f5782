import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { CODES, type Code } from '../../src/domain/sync-error.js';
import type { ApiDocument, ApiOperation } from './described-answers.js';
import { serveShop } from './shop-api.js';

describe('openapi.json', () => {
  const shop = serveShop();
  let document: ApiDocument;
  let operations: readonly { readonly route: string; readonly operation: ApiOperation }[];

  beforeAll(async () => {
    document = (await (await fetch(`${shop.service.url}/openapi.json`)).json()) as ApiDocument;
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation })),
    );
  });

  test('is OpenAPI 3.1 and names every route', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(operations.length).toBeGreaterThan(10);
  });

  test('is the file in the repository', () => {
    const file = readFileSync(join(process.cwd(), 'openapi.json'), 'utf8');
    // The contract of the shop differs from the sample one, and the routes do not depend on it.
    expect(JSON.parse(file)).toEqual(document);
  });

  test('has a summary for every operation, and none twice', () => {
    const summaries = operations.map(({ operation }) => operation.summary ?? '');
    expect(summaries.filter((summary) => summary.trim().length < 5)).toEqual([]);
    expect(new Set(summaries).size).toBe(summaries.length);
  });

  test('has an example for every good answer, and every operation has a good answer', () => {
    for (const { route, operation } of operations) {
      const good = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
      expect({ route, good: good.length }).not.toEqual({ route, good: 0 });
      for (const [status, { content }] of good) {
        const [{ example } = { example: undefined }] = Object.values(content ?? {});
        const isGiven = typeof example === 'string' || (typeof example === 'object' && example !== null);
        expect({ route, status, isGiven }).toEqual({ route, status, isGiven: true });
      }
    }
  });

  test('has a whole problem document for every code that it lists, under the status of that code', () => {
    for (const { route, operation } of operations) {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        const problems = content?.['application/problem+json'];
        if (problems === undefined) continue;
        for (const [code, { value }] of Object.entries(problems.examples ?? {})) {
          expect({ route, code, known: code in CODES }).toEqual({ route, code, known: true });
          expect({ route, value }).toEqual({
            route,
            value: {
              type: `/docs/errors#${code}`,
              title: CODES[code as Code].title,
              status: Number(status),
              code,
              detail: expect.any(String),
            },
          });
          expect(CODES[code as Code].status).toBe(Number(status));
        }
      }
    }
  });

  test('says for every guarded operation what it answers to nobody', () => {
    const open = operations.filter(({ operation }) => !('401' in operation.responses)).map(({ route }) => route);
    expect(open.sort()).toEqual(['GET /health/live', 'GET /health/ready']);
  });

  test('every code that is an answer is listed by some operation', () => {
    const listed = new Set(
      operations.flatMap(({ operation }) =>
        Object.values(operation.responses).flatMap(({ content }) =>
          Object.keys(content?.['application/problem+json']?.examples ?? {}),
        ),
      ),
    );
    const answers = Object.entries(CODES)
      .filter(([, { status }]) => status > 0)
      .map(([code]) => code);
    expect(answers.filter((code) => !listed.has(code))).toEqual(['internal.error']);
  });
});
