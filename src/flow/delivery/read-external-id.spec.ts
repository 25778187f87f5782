import { describe, expect, test } from '@jest/globals';
import { parsePointer, type Pointer } from '../../domain/contract/pointer.js';
import { readJson } from '../../domain/json/read-json.js';
import { readCreatedId, readFound } from './read-external-id.js';
import type { ReadAnswer } from './target-answer.js';

function pointer(source: string): Pointer {
  const parsed = parsePointer(source);
  if (parsed === undefined) throw new Error(`${source} is no pointer`);
  return parsed;
}

const ok = (text: string | undefined): ReadAnswer => ({
  kind: 'ok',
  body: text === undefined ? undefined : readJson(text).value,
});
const refused = (status: number): ReadAnswer => ({
  kind: 'failed',
  code: 'target.refused',
  detail: '',
  class: 'final',
  mayHaveArrived: false,
  status,
});

const create = { method: 'POST', path: '/customers', externalId: pointer('/data/id') } as const;

describe('the id of a new record', () => {
  test.each([
    ['"E-1"', 'E-1'],
    ['9007199254740993', '9007199254740993'],
    ['0', '0'],
    ['" E 1 "', ' E 1 '],
  ])('is read from %s as the target spells it', (id, externalId) => {
    expect(readCreatedId(ok(`{"data":{"id":${id}}}`), create)).toEqual({ kind: 'id', externalId });
  });

  test.each([
    '{}',
    '{"data":{"id":null}}',
    '{"data":{"id":""}}',
    '{"data":{"id":" "}}',
    '{"data":{"id":{}}}',
    '{"data":{"id":true}}',
    undefined,
  ])('is not in %s: the record may exist, so nothing is given up', (body) => {
    expect(readCreatedId(ok(body), create)).toEqual({
      kind: 'failed',
      code: 'target.unreadable',
      detail: 'The answer has nothing usable at `/data/id`.',
      class: 'retryable',
      mayHaveArrived: true,
    });
  });

  test('is not in a failure, which goes on as it is', () => {
    expect(readCreatedId(refused(422), create)).toEqual(refused(422));
  });
});

describe('a look-up in a list', () => {
  const find = { method: 'GET', path: '/c', items: pointer('/items'), externalId: pointer('/id') } as const;

  test.each([
    ['none', '{"items":[]}', []],
    ['one', '{"items":[{"id":"E-1"}]}', ['E-1']],
    ['several, and every one of them', '{"items":[{"id":1},{"id":2},{"id":1}]}', ['1', '2', '1']],
  ])('finds %s', (_what, body, ids) => {
    expect(readFound(ok(body), find)).toEqual({ kind: 'found', ids });
  });

  test.each(['{}', '{"items":null}', '{"items":{"id":1}}', '{"items":[{"id":1},{}]}', '[]', undefined])(
    'that cannot be read (%s) is not taken for an empty one: we would create again',
    (body) => {
      expect(readFound(ok(body), find)).toMatchObject({
        kind: 'failed',
        code: 'target.unreadable',
        mayHaveArrived: false,
      });
    },
  );

  test('that fails is not taken for an empty one, not even with 404', () => {
    for (const status of [400, 404, 410]) expect(readFound(refused(status), find)).toEqual(refused(status));
  });

  test('may be the body itself', () => {
    expect(readFound(ok('[{"id":"E-1"}]'), { ...find, items: pointer('') })).toEqual({ kind: 'found', ids: ['E-1'] });
  });
});

describe('a look-up of one record', () => {
  const find = { method: 'GET', path: '/c', externalId: pointer('/id') } as const;

  test('finds it, or none where the target says 404', () => {
    expect(readFound(ok('{"id":"E-1"}'), find)).toEqual({ kind: 'found', ids: ['E-1'] });
    expect(readFound(refused(404), find)).toEqual({ kind: 'found', ids: [] });
  });

  test('that ends in any other way found nothing out', () => {
    expect(readFound(refused(410), find)).toEqual(refused(410));
    for (const body of ['{}', '[]', undefined]) expect(readFound(ok(body), find)).toMatchObject({ kind: 'failed' });
  });
});
