import { isJsonNumberText, plainNumber } from '../../json/canonical-number.js';
import type { NoReference, ReferenceRule } from '../contract.js';
import { parsePathPattern } from '../path-pattern.js';
import { parsePointer } from '../pointer.js';
import { namesIn, requireKnownName } from './known-name.js';
import { ANY_ENTITY, mergeBlocksOf } from './merge-blocks.js';
import type { Place } from './place.js';
import { pointerFault } from './read-pointer.js';
import type { Reading } from './reading.js';

/** In `none`: nothing stands there. Not the text, which no system uses as an id. */
const ABSENT = 'absent';

export function readReferenceRules(reading: Reading, eventType: Place, entity: string): readonly ReferenceRule[] {
  return (eventType.at('references')?.entries() ?? []).flatMap(([source, rule]) => {
    const path = parsePathPattern(source);
    const type = rule.at('type');
    const entityType = type?.text() ?? '';
    if (path === undefined) reading.mistakes.atKey(rule, pointerFault(source));
    else if (path.source === '') reading.mistakes.atKey(rule, 'the whole payload is no id; expected a path into it');
    if (path !== undefined) checkIsNotMerged(reading, rule, source, entity);
    if (type !== undefined && entityType !== '') requireKnownName(reading, type, entityType, 'entities');
    if (path === undefined) return [];
    const missing = rule.at('missing')?.text() === 'wait' ? 'wait' : 'create';
    return { path, entityType, missing, none: readNone(rule.at('none')) };
  });
}

/** What a merge rule owns is made of many events, and no event says all that it refers to. */
function checkIsNotMerged(reading: Reading, rule: Place, source: string, entity: string): void {
  const entityTypes = entity === ANY_ENTITY ? namesIn(reading, 'entities') : [entity];
  for (const name of entityTypes) {
    const merged = new Set(mergeBlocksOf(reading.root, name).flatMap((block) => block.keys()));
    const field = fieldsAt(reading, source, name).find((each) => merged.has(each));
    if (field === undefined) continue;
    const message = `a \`merge\` rule owns \`${field}\` of \`${name}\`, which grows with every event; references below it would be those of one event only`;
    return reading.mistakes.atKey(rule, message);
  }
}

/** The fields that keep what stands there in the payloads of one or another sender. */
function fieldsAt(reading: Reading, source: string, entityType: string): readonly string[] {
  const systems = reading.root.at('systems')?.entries() ?? [];
  return systems
    .flatMap(([, system]) => system.at('ingest') ?? [])
    .flatMap((ingest) => {
      const map = ingest.at('fields')?.at(entityType);
      if (map === undefined) return parsePointer(source)?.steps[0] ?? [];
      const keeps = map.entries().find(([, pointer]) => `${source}/`.startsWith(`${String(pointer.text())}/`));
      return keeps?.[0] ?? [];
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
