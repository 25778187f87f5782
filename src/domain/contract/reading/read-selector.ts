import { parseSelector, type Selector } from '../selector.js';
import type { Place } from './place.js';
import { jsonPointerFault } from './read-pointer.js';
import { variableFault } from './read-variable.js';
import type { Reading } from './reading.js';

/** The place in a message that is named at `place` without braces, or undefined with a complaint. */
export function readSelector(reading: Reading, place: Place | undefined): Selector | undefined {
  const source = place?.text();
  if (place === undefined || source === undefined) return undefined;
  const selector = parseSelector(source);
  if (selector === undefined) reading.mistakes.atValue(place, selectorFault(source));
  return selector;
}

/** As readSelector, for one that is the key of `place`. */
export function readSelectorKey(reading: Reading, place: Place, key: string): Selector | undefined {
  const selector = parseSelector(key);
  if (selector === undefined) reading.mistakes.atKey(place, selectorFault(key));
  return selector;
}

/** The sentence about a text that names no place in a message. */
export function selectorFault(source: string): string {
  const fault = variableFault(source);
  if (fault !== undefined) return fault;
  if (source === '') return 'a hole names a place, such as `{/id}` or `{header/x-topic}`';
  if (/^\{.*\}$/.test(source)) return `expected a place without braces: \`${source.slice(1, -1)}\``;
  const [, word = '', rest = ''] = /^(body|header|query|)(\/.*)$/s.exec(source) ?? [];
  if (rest === '/' && word !== 'body' && word !== '') return `\`${source}\` needs a name`;
  if (word === 'header') return `\`${rest.slice(1)}\` cannot be the name of a header`;
  if (rest !== '') return jsonPointerFault(rest);
  if (/^[\w.[\]-]+$/.test(source))
    return `\`${source}\` names no place (did you mean \`/${source.replaceAll('.', '/')}\`?)`;
  return `\`${source}\` names no place; expected a JSON Pointer, \`body/…\`, \`header/…\`, \`query/…\`, \`item\` or \`hash\``;
}
