import type { Json } from '../json/json.js';
import type { MessageItem } from './message.js';
import { parsePointer, valueAt, type Pointer } from './pointer.js';

/**
 * A place in what was sent, as templates (in braces), conditions and `payload` (without) name it:
 *
 * | written         | is                                                        |
 * | --------------- | --------------------------------------------------------- |
 * | `/a/b`          | JSON Pointer into the item at hand: the body, or an element under `each` |
 * | `body/a/b`      | JSON Pointer into the body, also under `each`             |
 * | `header/x-name` | a header                                                  |
 * | `query/name`    | a parameter of the URL                                    |
 * | `item`          | the item itself, where it is a scalar                     |
 * | `hash`          | a digest of the item                                      |
 */
export type Selector =
  | { readonly kind: 'item' | 'body'; readonly source: string; readonly pointer: Pointer }
  | { readonly kind: 'header' | 'query'; readonly source: string; readonly name: string }
  | { readonly kind: 'hash'; readonly source: string };

const WHOLE: Pointer = { source: '', steps: [] };
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** Returns undefined when `source` names no place. */
export function parseSelector(source: string): Selector | undefined {
  if (source === 'hash') return { kind: 'hash', source };
  if (source === 'item') return { kind: 'item', source, pointer: WHOLE };
  const [, word = '', rest = ''] = /^(body|header|query|)(\/.*)$/s.exec(source) ?? [];
  if (rest === '') return undefined;
  if (word === 'header') {
    const name = rest.slice(1);
    return HEADER_NAME.test(name) ? { kind: 'header', source, name: name.toLowerCase() } : undefined;
  }
  if (word === 'query') return rest === '/' ? undefined : { kind: 'query', source, name: rest.slice(1) };
  const pointer = parsePointer(rest);
  return pointer === undefined ? undefined : { kind: word === 'body' ? 'body' : 'item', source, pointer };
}

/** The value at the place, or undefined where nothing stands. */
export function select(message: MessageItem, selector: Selector): Json | undefined {
  switch (selector.kind) {
    case 'item':
      return valueAt(message.item, selector.pointer);
    case 'body':
      return valueAt(message.body, selector.pointer);
    case 'header':
      return message.headers.get(selector.name);
    case 'query':
      return message.query.get(selector.name);
    case 'hash':
      return message.hash();
  }
}

/** Whether two selectors name one place. */
export function isSamePlace(a: Selector, b: Selector): boolean {
  if (a.kind === 'header' && b.kind === 'header') return a.name === b.name;
  return a.kind === b.kind && placeOf(a) === placeOf(b);
}

function placeOf(selector: Selector): string {
  return 'pointer' in selector ? selector.pointer.source : selector.source;
}
