import { describe, expect, test } from '@jest/globals';
import { JsonNumber, type Json } from '../json/json.js';
import { messageOf } from '../../../test/support/message-of.js';
import { fillTemplate, parseTemplate, selectorsOf, scalarText, type Filled } from './template.js';

const message = messageOf(
  new Map<string, Json>([
    ['id', 'C-1'],
    ['colon', 'a:b%'],
    ['big', new JsonNumber('9007199254740993')],
    ['scaled', new JsonNumber('100.00')],
    ['flag', false],
    ['zero', new JsonNumber('0')],
    ['empty', ''],
    ['none', null],
    ['list', ['x']],
    ['deep', new Map<string, Json>([['a/b', 'v']])],
  ]),
  { headers: { 'x-topic': 'orders/create' }, query: { 'hub.challenge': '42' } },
);

function filled(source: string): Filled | undefined {
  const template = parseTemplate(source);
  return template && fillTemplate(template, message);
}

describe('a template', () => {
  test.each([
    ['customer', 'customer'],
    ['{/id}', 'C-1'],
    ['{/deep/a~1b}', 'v'],
    ['{/big}', '9007199254740993'],
    ['{/scaled}', '100'],
    ['customer:{/id}:v{/big}', 'customer:C-1:v9007199254740993'],
    ['{/flag}:{/zero}', 'false:0'],
    ['{header/X-Topic}', 'orders/create'],
    ['{query/hub.challenge}', '42'],
    ['{body/id}:{hash}', 'C-1:a-digest'],
  ])('%j gives each value one spelling', (source, text) => {
    expect(filled(source)).toEqual({ kind: 'text', text });
  });

  test('of one pointer alone takes the sender’s text as it stands', () => {
    expect(filled('{/colon}')).toEqual({ kind: 'text', text: 'a:b%' });
  });

  test('that composes encodes what joins its parts, so that two lists of values never give one text', () => {
    expect(filled('{/colon}:{/id}')).toEqual({ kind: 'text', text: 'a%3Ab%25:C-1' });
    expect(filled('x:{/colon}')).toEqual({ kind: 'text', text: 'x:a%3Ab%25' });
  });

  test.each([
    '/absent',
    '/empty',
    '/none',
    '/list',
    '/deep',
    '/id/x',
    'header/x-other',
    'query/other',
    'body/absent',
    'item',
  ])('never makes an empty part of %j', (place) => {
    expect(filled(`{${place}}`)).toEqual({ kind: 'missing', place });
    expect(filled(`{/id}:{${place}}`)).toEqual({ kind: 'missing', place });
  });

  test.each([
    '{',
    '}',
    '{/id',
    '/id}',
    '{{/id}}',
    '{}',
    '{id}',
    '{/a~2}',
    'a{/id}}',
    '{header/}',
    '{header/a b}',
    '{query/}',
    '{heder/x}',
  ])('%j is none', (source) => {
    expect(parseTemplate(source)).toBeUndefined();
  });

  test('names the places in its holes', () => {
    const template = parseTemplate('{/sku}:{/warehouse}');
    expect(template && selectorsOf(template).map(({ source }) => source)).toEqual(['/sku', '/warehouse']);
  });
});

test.each<readonly [Json | undefined, string | undefined]>([
  ['1', '1'],
  [new JsonNumber('1'), '1'],
  [true, 'true'],
  [null, undefined],
  [undefined, undefined],
  [[], undefined],
  [new Map<string, Json>(), undefined],
])('the text of a scalar: %j', (value, text) => {
  expect(scalarText(value)).toBe(text);
});
