import { describe, expect, test } from '@jest/globals';
import { readJson } from '../../domain/json/read-json.js';
import { SyncError } from '../../domain/sync-error.js';
import { makeBody } from './body-mapping.js';

const DATA = `{
  "amount": 1299.00, "big": 9007199254740993, "count": 3, "half": 0.5, "name": "Ada",
  "inches": "5\\"", "lines": [{ "price": 10.10 }, { "price": 5 }], "nothing": null,
  "__proto__": { "admin": true }
}`;

function bodyOf(expression: string, data = DATA): Promise<string> {
  return makeBody(expression, {
    entity: readJson(`{"internal_id":"i-1","data":${data}}`).value,
    event: readJson('{"correlation_id":"p-1"}').value,
    mapping: readJson('{"external_id":null}').value,
    state: 'PAID',
  });
}

async function refusalOf(expression: string, data?: string): Promise<string> {
  const error: unknown = await bodyOf(expression, data).catch((caught: unknown) => caught);
  if (error instanceof SyncError && error.code === 'target.unmappable') return error.message;
  throw new Error(`Expected target.unmappable, got ${String(error)}`);
}

describe('makeBody', () => {
  test.each([
    ['{ "ref": entity.internal_id, "name": entity.data.name }', '{"ref":"i-1","name":"Ada"}'],
    ['{ "process": event.correlation_id, "id": mapping.external_id }', '{"process":"p-1","id":null}'],
    ['{ "state": state }', '{"state":"PAID"}'],
    ['{ "a": entity.data.amount, "b": entity.data.big }', '{"a":1299.00,"b":9007199254740993}'],
    ['entity.data.lines.price', '[10.10,5]'],
    ['{ "text": "EUR " & entity.data.amount }', '{"text":"EUR 1299.00"}'],
    ['{ "text": entity.data.big & "/" & entity.data.count }', '{"text":"9007199254740993/3"}'],
    ['{ "text": entity.data.inches & entity.data.amount }', '{"text":"5\\"1299.00"}'],
    ['{ "text": $string(entity.data.amount) }', '{"text":"1299.00"}'],
    ['{ "n": entity.data.count + entity.data.half }', '{"n":3.5}'],
    ['{ "n": $number(entity.data.amount) + 1 }', '{"n":1300}'],
    ['{ "n": $number("12.5"), "t": $number(true) }', '{"n":12.5,"t":1}'],
    ['{ "n": $number(entity.data.missing) }', '{}'],
    ['{ "n": entity.data.nothing, "m": entity.data.missing }', '{"n":null}'],
    ['$sum(entity.data.lines.$number(price))', '15.1'],
    ['{ "n": entity.data.amount * 2 }', '{"n":2598}'],
    ['{ "n": -entity.data.amount }', '{"n":-1299}'],
    ['{ "yes": entity.data.amount = 1299, "no": entity.data.amount != 1299.0 }', '{"yes":true,"no":false}'],
    [
      '{ "yes": entity.data.big = entity.data.big, "no": entity.data.big = entity.data.amount }',
      '{"yes":true,"no":false}',
    ],
    ['{ "yes": entity.data.amount > 1000 and entity.data.amount <= 1299 }', '{"yes":true}'],
    ['{ "yes": 10.1 in entity.data.lines.price }', '{"yes":true}'],
    ['entity.data.lines[price > 10].price', '10.10'],
    ['{ "t": $substring($string(entity.data.amount), 0, 4) }', '{"t":"1299"}'],
    ['{ "t": $join(entity.data.lines.$string(price), "|") }', '{"t":"10.10|5"}'],
    ['$distinct([entity.data.amount, entity.data.big, entity.data.amount])', '[1299.00,9007199254740993]'],
  ])('%s', async (expression, body) => {
    expect(await bodyOf(expression)).toBe(body);
  });

  test('passes the whole record on, every number as written', async () => {
    expect(
      await bodyOf('$merge([{ "ref": entity.internal_id }, entity.data])', '{"a":1.00,"b":[2.50,3],"c":{"d":1e2}}'),
    ).toBe('{"ref":"i-1","a":1.00,"b":[2.50,3],"c":{"d":1e2}}');
  });

  test('keeps a member called `__proto__` and pollutes nothing', async () => {
    expect(await bodyOf('{ "data": entity.data }', '{"__proto__":{"admin":true}}')).toBe(
      '{"data":{"__proto__":{"admin":true}}}',
    );
    await bodyOf('$merge([{}, entity.data])');
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  test('takes no text of a payload for a number', async () => {
    const data = String.raw`{"text":"\u0001AAAAAAAAAAAA:1.00\u0002"}`;
    expect(await bodyOf('{ "t": entity.data.text }', data)).toBe(String.raw`{"t":"\u0001AAAAAAAAAAAA:1.00\u0002"}`);
  });

  test('gives the bodies of calls at one time each its own numbers', async () => {
    const bodies = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        bodyOf('{ "n": $number(entity.data.n), "t": entity.data.n }', `{"n":${at}.00}`),
      ),
    );
    expect(bodies).toEqual(Array.from({ length: 50 }, (_, at) => `{"n":${at},"t":${at}.00}`));
  });
});

describe('makeBody refuses', () => {
  test.each([
    ['an expression that gives nothing', 'entity.data.missing', /gives nothing.*entity\.data\.missing/],
    ['an expression that is none', '{ "a": ', /at character \d+ of the expression \{ "a": /],
    ['a function that does not exist', '$nope(1)', /at character \d+/],
    [
      'arithmetic on digits that no double holds',
      'entity.data.big + 1',
      /9007199254740993 has more digits.*at character \d+/,
    ],
    ['the same as a number', '$number(entity.data.big)', /9007199254740993 has more digits/],
    ['a copy by way of JSON', '$ ~> |entity.data|{"x":1}|', /cannot be copied/],
    ['a text that is no number', '$number(entity.data.name)', /no number/],
    ['an empty text as a number', '$number("")', /no number/],
    ['a function as a result', 'function($x) { $x }', /./],
    ['an error of its own', '$error("no such currency")', /no such currency/],
  ])('%s', async (_what, expression, message) => {
    expect(await refusalOf(expression)).toMatch(message);
  });

  // What stands for a number inside the expression means nothing to a target, least of all a piece of it.
  test.each([
    '{ "t": $substring(entity.data.amount, 0, 4) }',
    '{ "t": $substringBefore(entity.data.amount, ".") }',
    '{ "t": $uppercase(entity.data.amount) }',
    '{ "t": $split(entity.data.amount, ".") }',
  ])('or answers with digits alone: %s', async (expression) => {
    const body = await bodyOf(expression).catch((error: unknown) => {
      if (error instanceof SyncError && error.code === 'target.unmappable') return 'refused';
      throw error;
    });
    expect(body).not.toContain('\\u0001');
  });

  test('with an excerpt of a long expression, and without a value of the record', async () => {
    const message = await refusalOf(`entity.data.name + ${'1 + '.repeat(200)}1`);
    expect(message.length).toBeLessThan(400);
    expect(message).not.toContain('Ada');
  });
});
