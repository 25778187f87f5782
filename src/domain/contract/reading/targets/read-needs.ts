import { parsePathPattern } from '../../path-pattern.js';
import type { Need } from '../../target.js';
import { requireKnownKey } from '../known-name.js';
import { ANY_ENTITY } from '../merge-blocks.js';
import type { Place } from '../place.js';
import { pointerFault } from '../read-pointer.js';
import type { Reading } from '../reading.js';
import { eventTypesAbout } from './event-types-about.js';

/** What must have an id at the target first, with a complaint about each path that no event type calls a reference. */
export function readNeeds(reading: Reading, place: Place | undefined, entityType: string): readonly Need[] {
  return (place?.entries() ?? []).flatMap(([needed, written]) => {
    requireKnownKey(reading, written, needed, 'entities');
    return written.oneOrMore().flatMap((path) => readNeed(reading, path, { needed, entityType }) ?? []);
  });
}

interface Between {
  readonly needed: string;
  readonly entityType: string;
}

function readNeed(reading: Reading, place: Place, { needed, entityType }: Between): Need | undefined {
  const source = place.text();
  const path = source === undefined ? undefined : parsePathPattern(source);
  if (source === undefined) return undefined;
  const fault =
    path === undefined
      ? pointerFault(source)
      : source === ''
        ? 'the whole payload is no id; expected a path into it'
        : undefined;
  if (fault !== undefined) reading.mistakes.atValue(place, fault);
  else checkIsReferred(reading, place, source, { needed, entityType });
  return path && { entityType: needed, path };
}

/**
 * What a record refers to is known by the `references` of its event types, which say what means "nothing" as well.
 * Where none of them lists the path, it is a reference all the same, because `needs` calls it one.
 */
function checkIsReferred(reading: Reading, place: Place, source: string, { needed, entityType }: Between): void {
  const eventTypes = eventTypesAbout(reading, entityType);
  const rules = eventTypes.flatMap((eventType) => eventType.at('references')?.at(source) ?? []);
  const [other] = rules.flatMap((rule) => rule.at('type')?.text() ?? []).filter((type) => type !== needed);
  if (other !== undefined) {
    return reading.mistakes.atValue(place, `\`${source}\` refers to \`${other}\` by the event types’ \`references\``);
  }
  if (rules.length > 0) return;
  if (eventTypes.every((eventType) => eventType.at('entity')?.text() === ANY_ENTITY)) {
    const message = `no event type is about \`${entityType}\` alone, so \`${source}\` must stand under the \`references\` of one that may be`;
    return reading.mistakes.atValue(place, message);
  }
  const message = `no event type lists \`${source}\` under \`references\`; it is taken for \`{ type: ${needed}, missing: create, none: [null, absent] }\``;
  reading.mistakes.warn(place, message);
}
