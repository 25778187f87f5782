import { isJsonNumberText, plainNumber } from '../../json/canonical-number.js';
import type { NoReference, ReferenceRule } from '../contract.js';
import { parsePathPattern } from '../path-pattern.js';
import { requireKnownName } from './known-name.js';
import type { Place } from './place.js';
import { pointerFault } from './read-pointer.js';
import type { Reading } from './reading.js';

/** In `none`: nothing stands there. Not the text, which no system uses as an id. */
const ABSENT = 'absent';

export function readReferenceRules(reading: Reading, place: Place | undefined): readonly ReferenceRule[] {
  return (place?.entries() ?? []).flatMap(([source, rule]) => {
    const path = parsePathPattern(source);
    const type = rule.at('type');
    const entityType = type?.text() ?? '';
    if (path === undefined) reading.mistakes.atKey(rule, pointerFault(source));
    else if (path.source === '') reading.mistakes.atKey(rule, 'the whole payload is no id; expected a path into it');
    if (type !== undefined && entityType !== '') requireKnownName(reading, type, entityType, 'entities');
    return path === undefined ? [] : { path, entityType, missing: 'create', none: readNone(rule.at('none')) };
  });
}

function readNone(place: Place | undefined): NoReference {
  const values = (place?.items() ?? []).map((item) => ({ text: spelling(item), isWord: item.text() === ABSENT }));
  return {
    texts: new Set(values.flatMap(({ text, isWord }) => (text === undefined || isWord ? [] : text))),
    null: values.some(({ text }) => text === undefined),
    absent: values.some(({ isWord }) => isWord),
  };
}

/** As the payload's scalars are spelt; undefined for null. */
function spelling(place: Place): string | undefined {
  const text = place.spelling();
  return text !== undefined && place.number() !== undefined && isJsonNumberText(text) ? plainNumber(text) : text;
}
