import { encodeKeyPart } from '../business-key.js';
import { plainNumber } from '../json/canonical-number.js';
import { JsonNumber, type Json } from '../json/json.js';
import { parsePointer, valueAt, type Pointer } from './pointer.js';

/**
 * A text with holes, as rules write it: `customer:{/customer_id}:v{/version}`. A hole is a JSON Pointer into the body.
 */
export interface Template {
  readonly source: string;
  readonly parts: readonly (string | Pointer)[];
}

/** What a template made of a body: its text, or the first pointer at which no usable value stands. */
export type Filled =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'missing'; readonly pointer: string };

/** Returns undefined when braces are unbalanced or a hole is not a JSON Pointer. */
export function parseTemplate(source: string): Template | undefined {
  const parts: (string | Pointer)[] = [];
  for (const piece of source.split(/(\{[^{}]*\})/)) {
    if (piece === '') continue;
    if (!/^\{.*\}$/s.test(piece)) {
      if (/[{}]/.test(piece)) return undefined;
      parts.push(piece);
      continue;
    }
    const pointer = parsePointer(piece.slice(1, -1));
    if (pointer === undefined || pointer.steps.length === 0) return undefined;
    parts.push(pointer);
  }
  return { source, parts };
}

/**
 * Fills the holes. A template that is one pointer alone takes the value as it stands; in a composed one `%` and `:`
 * inside a value are percent-encoded, so that no two lists of values give one text. A missing, null or
 * empty value, an object or an array is an error and never an empty string: unrelated events would share one key.
 *
 * @param spellId how the value at a pointer is spelt when it serves as an id; other values stay as they are
 */
export function fillTemplate(
  template: Template,
  body: Json,
  spellId: (pointer: Pointer, value: string) => string = (_pointer, value) => value,
): Filled {
  const isComposed = template.parts.length > 1;
  let text = '';
  for (const part of template.parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const found = scalarText(valueAt(body, part));
    const value = found === undefined ? '' : spellId(part, found);
    if (value === '') return { kind: 'missing', pointer: part.source };
    text += isComposed ? encodeKeyPart(value) : value;
  }
  return { kind: 'text', text };
}

/** The pointers in a template's holes. */
export function pointersOf(template: Template): readonly Pointer[] {
  return template.parts.filter((part) => typeof part !== 'string');
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
