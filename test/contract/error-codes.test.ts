import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CODES } from '../../src/domain/sync-error.js';
import { serveShop } from './shop-api.js';

describe('docs/errors.md', () => {
  const shop = serveShop();
  const text = readFileSync(join(process.cwd(), 'docs', 'errors.md'), 'utf8');
  const sections = text.split(/^## /m).slice(1);
  const headed = sections.map((section) => /^`([^`]+)`/.exec(section)?.[1] ?? section.split('\n')[0]);

  test('has one heading for each code, and no other', () => {
    expect(headed.toSorted()).toEqual(Object.keys(CODES).toSorted());
  });

  test('names the HTTP status of each code that is an answer', () => {
    for (const [code, { status }] of Object.entries(CODES)) {
      const section = sections[headed.indexOf(code)] ?? '';
      const named = /^\*\*(\d{3})/m.exec(section)?.[1];
      expect({ code, status: named === undefined ? 0 : Number(named) }).toEqual({ code, status });
    }
  });

  test('is served where the type of a problem document leads', async () => {
    const problem = await shop.ask('nobody', 'GET /v1/events');
    const type = String(problem.body?.['type']);
    const page = await fetch(new URL(type, shop.service.url));
    expect([page.status, await page.text()]).toEqual([200, text]);
  });
});
