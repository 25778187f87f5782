import { describe, expect, test } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { refusalOf } from '../../../test/support/refusal.js';
import { uuidV7 } from '../../domain/ids.js';
import { pageOf, readCursor, readLimit, readQuery, writeCursor } from './page-query.js';

const request = (query: Readonly<Record<string, unknown>>): FastifyRequest => ({ query }) as unknown as FastifyRequest;
const REFUSED = { code: 'request.invalid' };

describe('a query', () => {
  test('is read by name; an empty value counts as absent', () => {
    expect(readQuery(request({ source: 'crm', status: '' }), ['source', 'status', 'limit'])).toEqual({ source: 'crm' });
    expect(readQuery(request({}), [])).toEqual({});
  });

  test.each([
    ['a name that the route does not know', { sorce: 'crm' }],
    ['a name in another case', { Source: 'crm' }],
    ['a name that every object has', { constructor: 'x' }],
    ['a prototype', Object.fromEntries([['__proto__', 'x']])],
    ['a value that stands twice', { source: ['a', 'b'] }],
  ])('is refused with %s', (_what, query) => {
    expect(refusalOf(() => readQuery(request(query), ['source']))).toEqual(REFUSED);
  });

  test('names what the route knows', () => {
    expect(() => readQuery(request({ x: '1' }), ['source', 'limit'])).toThrow('known are source, limit');
    expect(() => readQuery(request({ x: '1' }), [])).toThrow('this route takes none');
  });
});

describe('the limit of a page', () => {
  test.each([
    [undefined, 50],
    ['1', 1],
    ['500', 500],
    ['007', 7],
  ])('%j is %d', (text, limit) => {
    expect(readLimit(text)).toBe(limit);
  });

  test.each(['0', '501', '-1', '1.5', '1e2', ' 5', '5 ', 'all', '0x10', '9'.repeat(50), '５'])(
    '%j is refused',
    (text) => {
      expect(refusalOf(() => readLimit(text))).toEqual(REFUSED);
    },
  );
});

describe('a cursor', () => {
  test('leads back to the id that it was made of, and is safe in a URL', () => {
    const id = uuidV7(1);
    expect(writeCursor(id)).toMatch(/^[\w-]+$/);
    expect(readCursor(writeCursor(id))).toBe(id);
    expect(readCursor(undefined)).toBeNull();
  });

  test.each([
    'junk',
    '%',
    uuidV7(1),
    writeCursor('1'),
    writeCursor(''),
    writeCursor("'; drop table events"),
    writeCursor(`${uuidV7(1)}\n`),
    writeCursor(uuidV7(1).toUpperCase()),
  ])('that we did not make is refused: %#', (text) => {
    expect(refusalOf(() => readCursor(text))).toEqual(REFUSED);
  });
});

describe('a page', () => {
  const ids = Array.from({ length: 5 }, (_, at) => uuidV7(at));
  const page = (rows: readonly string[], limit: number) =>
    pageOf(
      rows,
      limit,
      (id) => id,
      (id) => ({ id }),
    );

  test.each([
    ['fewer rows than fit', 3, 5],
    ['as many rows as fit', 5, 5],
    ['no rows', 0, 5],
  ])('of %s is the last one', (_what, count, limit) => {
    expect(page(ids.slice(0, count), limit)).toEqual({ items: ids.slice(0, count).map((id) => ({ id })) });
  });

  test('of one row more than fits leads on from the last row that it shows', () => {
    const { items, next_cursor } = page(ids, 4);
    expect(items).toEqual(ids.slice(0, 4).map((id) => ({ id })));
    expect(readCursor(next_cursor)).toBe(ids[3]);
  });

  test('after page shows every row once', () => {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const from = after;
      const { items, next_cursor } = page(ids.filter((id) => from === null || id > from).slice(0, 3), 2);
      seen.push(...items.map(({ id }) => id));
      after = readCursor(next_cursor);
    } while (after !== null);
    expect(seen).toEqual(ids);
  });
});
