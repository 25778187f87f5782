import type { NoReference, ReferenceRule } from '../../contract.js';
import { parsePathPattern } from '../../path-pattern.js';
import type { Place } from '../place.js';
import type { Reading } from '../reading.js';
import { eventTypesAbout } from './event-types-about.js';

const NOTHING: NoReference = { texts: new Set(), null: true, absent: true };

/**
 * The references that `needs` of some target takes for granted: of an entity type, those that none of its event types
 * lists. The event does not wait for them, because the delivery does.
 */
export function impliedReferences(reading: Reading, eventType: Place, entity: string): readonly ReferenceRule[] {
  const named = new Set(eventTypesAbout(reading, entity).flatMap((place) => place.at('references')?.keys() ?? []));
  const targets = (eventType.at('deliver_to')?.items() ?? []).map((item) => item.text() ?? '');
  const implied = new Map<string, ReferenceRule>();
  for (const [entityType, source] of targets.flatMap((target) => needsOf(reading, target, entity))) {
    const path = parsePathPattern(source);
    if (path === undefined || source === '' || named.has(source) || implied.has(source)) continue;
    implied.set(source, { path, entityType, missing: 'create', none: NOTHING });
  }
  return [...implied.values()];
}

function needsOf(reading: Reading, target: string, entity: string): readonly (readonly [string, string])[] {
  const calls = reading.root.at('systems')?.at(target)?.at('deliver')?.at('entities')?.at(entity);
  const needs = calls?.at('needs')?.entries() ?? [];
  return needs.flatMap(([type, written]) => written.oneOrMore().map((path) => [type, path.text() ?? ''] as const));
}
