import jsonata from 'jsonata';
import type { Place } from './place.js';
import type { Reading } from './reading.js';

/** The JSONata expression's source text, with a complaint when it does not parse. */
export function readBody(reading: Reading, place: Place | undefined): string | undefined {
  const source = place?.text();
  if (place === undefined || source === undefined) return source;
  try {
    jsonata(source);
  } catch (error) {
    reading.mistakes.atValue(place, syntaxFault(source, error));
  }
  const later = /\$(ref|exact|secrets)\b/.exec(source)?.[0];
  if (later !== undefined) reading.mistakes.atValue(place, `\`${later}\` is not there yet`);
  return source;
}

function syntaxFault(source: string, error: unknown): string {
  const { message, position } = error as { readonly message: string; readonly position?: number };
  const before = source.slice(0, position ?? 0).split('\n');
  const character = `character ${String((before.at(-1) ?? '').length)}`;
  const where = source.includes('\n') ? `line ${String(before.length)}, ${character}` : character;
  return `this is not JSONata: ${message} (at ${where} of the expression)`;
}
