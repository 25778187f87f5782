import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JsonNumber, type Json } from '../json/json.js';
import { messageOf } from '../../../test/support/message-of.js';
import { fillTemplate, parseTemplate } from './template.js';
import { draws } from '../../../test/support/draws.js';

const NAMES = ['a', 'b', 'c'] as const;
const value = fc.oneof(
  fc.string({ unit: fc.constantFrom('x', ':', '%', '2', '5', '3', 'A', '{', '/'), minLength: 1, maxLength: 5 }),
  fc.nat(99).map(String),
);

test('a template with a colon between its holes makes one text of no two lists of values', () => {
  const template = parseTemplate('order:{/a}:{/b}-:{/c}');
  if (template === undefined) throw new Error('The template of this test is none.');
  const valuesByText = new Map<string, string>();
  fc.assert(
    fc.property(fc.tuple(value, value, value), (values) => {
      const body = new Map<string, Json>(NAMES.map((name, at) => [name, values[at] ?? null]));
      const filled = fillTemplate(template, messageOf(body));
      if (filled.kind === 'missing') throw new Error(`${filled.place} was given`);
      const spelt = JSON.stringify(values);
      const first = valuesByText.get(filled.text) ?? spelt;
      valuesByText.set(filled.text, first);
      return first === spelt;
    }),
    { numRuns: draws(100_000) },
  );
});

test('a number and its digits as text fill a template alike', () => {
  const template = parseTemplate('order:{/a}');
  if (template === undefined) throw new Error('The template of this test is none.');
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (id) => {
      const asNumber = fillTemplate(template, messageOf(new Map([['a', new JsonNumber(String(id))]])));
      expect(asNumber).toEqual({ kind: 'text', text: `order:${id}` });
      expect(fillTemplate(template, messageOf(new Map([['a', String(id)]])))).toEqual(asNumber);
    }),
  );
});
