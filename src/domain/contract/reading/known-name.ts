import { didYouMean } from './nearest.js';
import type { Place } from './place.js';
import type { Reading } from './reading.js';
import { wordList } from './word-list.js';

const SECTION_WORDS = { systems: 'system', entities: 'entity type', events: 'event type' } as const;
export type Section = keyof typeof SECTION_WORDS;

/** Complains at `place`, whose value `name` is, when it does not stand in the section. */
export function requireKnownName(reading: Reading, place: Place, name: string, section: Section): boolean {
  const fault = nameFault(name, section, namesIn(reading, section));
  if (fault !== undefined) reading.mistakes.atValue(place, fault);
  return fault === undefined;
}

/** As requireKnownName, for a name that is the key of `place`. */
export function requireKnownKey(reading: Reading, place: Place, name: string, section: Section): void {
  const fault = nameFault(name, section, namesIn(reading, section));
  if (fault !== undefined) reading.mistakes.atKey(place, fault);
}

export function namesIn(reading: Reading, section: Section): readonly string[] {
  return reading.root.at(section)?.keys() ?? [];
}

/** The list's texts, each of which must be a system. */
export function readSystemNames(reading: Reading, list: Place | undefined): readonly string[] {
  const names: string[] = [];
  for (const item of list?.items() ?? []) {
    const name = item.text();
    if (name !== undefined && requireKnownName(reading, item, name, 'systems')) names.push(name);
  }
  return names;
}

/**
 * As readSystemNames, for a list that may name systems which are not connected. A name that is nearly one that is
 * remains a mistake.
 */
export function readSystemNamesOrOthers(reading: Reading, list: Place | undefined): readonly string[] {
  const known = namesIn(reading, 'systems');
  return (list?.items() ?? []).flatMap((item) => {
    const name = item.text();
    if (name === undefined) return [];
    if (known.includes(name) || didYouMean(name, known) !== '') {
      return requireKnownName(reading, item, name, 'systems') ? name : [];
    }
    reading.mistakes.warn(item, `no system is called \`${name}\`, so it gives nothing`);
    return name;
  });
}

function nameFault(name: string, section: Section, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  const expected = known.length === 0 ? `\`${section}\` is empty` : `expected ${wordList(known)}`;
  return `unknown ${SECTION_WORDS[section]} \`${name}\`${didYouMean(name, known)}; ${expected}`;
}
