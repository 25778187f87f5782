import { encodeKeyPart } from '../business-key.js';
import { formatInstant, exactInstantMicros } from '../instant.js';
import { plainNumber } from '../json/canonical-number.js';
import { JsonNumber, type Json } from '../json/json.js';
import type { MessageItem } from './message.js';
import { parseSelector, select, type Selector } from './selector.js';

/** A text with holes, as rules write it: `customer:{/customer_id}:v{/version}`. Each hole names a place. */
export interface Template {
  readonly source: string;
  readonly parts: readonly (string | Selector)[];
}

/** What a template made of a message: its text, or the first place at which no usable value stands. */
export type Filled =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'missing'; readonly place: string };

/** How the value at a place is spelt where it becomes part of a composed text. */
export type SpellPart = (place: Selector, value: Json, text: string) => string;

/** Returns undefined when braces are unbalanced or a hole names no place. */
export function parseTemplate(source: string): Template | undefined {
  const parts: (string | Selector)[] = [];
  for (const piece of source.split(/(\{[^{}]*\})/)) {
    if (piece === '') continue;
    if (!/^\{.*\}$/s.test(piece)) {
      if (/[{}]/.test(piece)) return undefined;
      parts.push(piece);
      continue;
    }
    const selector = parseSelector(piece.slice(1, -1));
    if (selector === undefined) return undefined;
    parts.push(selector);
  }
  return { source, parts };
}

/**
 * Fills the holes. A template that is one hole alone takes the value as it stands; in a composed one `%` and `:`
 * inside a value are percent-encoded, so that no two lists of values give one text. A missing, null or
 * empty value, an object or an array is an error and never an empty string: unrelated events would share one key.
 */
export function fillTemplate(template: Template, message: MessageItem, spell: SpellPart = asItStands): Filled {
  const isComposed = template.parts.length > 1;
  let text = '';
  for (const part of template.parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const value = select(message, part);
    const found = scalarText(value);
    const spelt = value === undefined || found === undefined ? '' : spell(part, value, found);
    if (spelt === '') return { kind: 'missing', place: part.source };
    text += isComposed ? encodeKeyPart(spelt) : spelt;
  }
  return { kind: 'text', text };
}

/** The places in a template's holes. */
export function selectorsOf(template: Template): readonly Selector[] {
  return template.parts.filter((part) => typeof part !== 'string');
}

/** The hole that is the whole template, or undefined where there is more. */
export function onlyHole({ parts }: Template): Selector | undefined {
  const [only, ...others] = parts;
  return only === undefined || typeof only === 'string' || others.length > 0 ? undefined : only;
}

/**
 * A scalar as text, with one spelling for each value: a JSON number and the same digits as text are one, integers
 * stand as written, decimals lose their trailing zeros (12.50 and 12.5 are one).
 */
export function scalarText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof JsonNumber) return plainNumber(value.text);
  if (typeof value === 'boolean') return String(value);
  return undefined;
}

/**
 * The one spelling of a scalar as a part of a composed key: as above, and a full RFC 3339 date-time in UTC with six
 * digits of a second, because senders print one instant now with this offset and now with that one.
 */
export function typedKeyPart(value: Json, text: string): string {
  const micros = typeof value === 'string' ? exactInstantMicros(text) : undefined;
  return micros === undefined ? text : formatInstant(micros);
}

const asItStands: SpellPart = (_place, _value, text) => text;
