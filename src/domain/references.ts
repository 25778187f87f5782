import type { ReferenceRule, System } from './contract/contract.js';
import { reach, type Reached } from './contract/path-pattern.js';
import { scalarText } from './contract/template.js';
import type { EntityReference } from './event.js';
import { normalizeExternalId, normalizeIdText } from './external-id.js';
import type { JsonObject } from './json/json.js';
import { SyncError } from './sync-error.js';

/** What a payload says by one rule about which other entities its own refers to. */
export interface ReferencesByRule {
  readonly rule: ReferenceRule;
  readonly found: readonly FoundReference[];
}

export interface FoundReference {
  /** The place in the payload, as a JSON Pointer. */
  readonly path: string;
  readonly entity: EntityReference;
}

/**
 * As many places of a payload may name other entities: an order of a thousand lines that name two things each. Every one
 * is a row of the map at worst, and is kept with the record; a body of 1 MiB could name a hundred thousand.
 */
export const REFERENCES_MAX = 2_000;

/**
 * The other entities that a payload refers to, by the rules of its event type. The ids are those of `owner`, the system
 * whose ids the payload carries.
 *
 * @throws SyncError `reference.invalid` with the place of the first value that is neither an id nor one of those that
 *   the rule takes for "no such thing"; also where there are more than `REFERENCES_MAX`, then with the first rule that
 *   goes beyond
 */
export function readReferences(
  payload: JsonObject,
  rules: readonly ReferenceRule[],
  owner: System,
): readonly ReferencesByRule[] {
  let count = 0;
  return rules.map((rule) => {
    const places = reach(payload, rule.path);
    const found = places.flatMap((place) => {
      const entity = readReference(place, rule, owner);
      return entity === undefined ? [] : { path: place.path, entity };
    });
    count += found.length;
    if (count > REFERENCES_MAX) throw tooMany(rule);
    return { rule, found };
  });
}

/** Undefined: there is no such thing, and the rule says so. */
function readReference(place: Reached, rule: ReferenceRule, owner: System): EntityReference | undefined {
  const { none, entityType: type } = rule;
  if (place.kind === 'no_list') throw unusable(place, rule, 'stands where a list is meant');
  if (place.kind === 'absent') {
    if (none.absent) return undefined;
    throw unusable(place, rule, 'is absent');
  }
  if (place.value === null) {
    if (none.null) return undefined;
    throw unusable(place, rule, 'is null');
  }
  const rawExternalId = scalarText(place.value);
  if (rawExternalId === undefined) throw unusable(place, rule, 'is neither text nor a number');
  // Spelt as ids are before it is compared: a blank around a 0 makes no customer of it.
  if (none.texts.has(normalizeIdText(rawExternalId, owner.externalIds))) return undefined;
  if (typeof place.value === 'boolean') throw unusable(place, rule, 'is neither text nor a number');
  const id = normalizeExternalId(rawExternalId, owner.externalIds);
  if (id.kind === 'unusable') throw unusable(place, rule, id.problem);
  return { system: owner.name, type, externalId: id.externalId, rawExternalId };
}

function tooMany({ path: { source } }: ReferenceRule): SyncError {
  const detail =
    `The payload names more than ${String(REFERENCES_MAX)} other entities, counted place by place up to \`${source}\`; ` +
    'send it in parts.';
  return new SyncError('reference.invalid', detail, { at: source });
}

function unusable({ path }: Reached, { entityType }: ReferenceRule, problem: string): SyncError {
  const detail =
    `The reference to \`${entityType}\` at \`${path}\` of the payload ${problem}; ` +
    'values that mean “no such thing” stand under `none` of the reference.';
  return new SyncError('reference.invalid', detail, { at: path });
}
