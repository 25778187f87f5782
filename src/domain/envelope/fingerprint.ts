import { hash } from 'node:crypto';
import type { EventRule, EventType, System } from '../contract/contract.js';
import { selectorsOf, type Template } from '../contract/template.js';
import type { EventLinks } from '../event.js';
import { normalizeIdText } from '../external-id.js';
import { canonicalJson, canonicalText } from '../json/canonical-json.js';
import type { JsonObject } from '../json/json.js';
import { plantTree, type MarkedPlace, type PointerTree } from '../json/pointer-tree.js';

export interface FingerprintParts {
  readonly eventType: EventType;
  readonly entity: { readonly system: string; readonly type: string; readonly externalId: string };
  readonly links: EventLinks | undefined;
  readonly version: string | undefined;
  readonly state?: string | undefined;
  readonly expectedState?: string | undefined;
  readonly payload: JsonObject;
}

/**
 * One text for all copies of a fact, however it was printed; different content gives another. It leaves out what may
 * differ between two copies: correlation, times of sending, what the event type calls volatile, blanks, the order of
 * members, the spelling of numbers and instants. Ids inside the payload compare as text, in the spelling rules of the
 * system that sent them.
 */
export function fingerprintOf(parts: FingerprintParts, source: System): string {
  const { system, type, externalId } = parts.entity;
  const payload = canonicalJson(parts.payload, {
    marks: marksOf(source, parts.eventType),
    normalizeId: (id) => normalizeIdText(id, source.externalIds),
  });
  const version = parts.version === undefined ? '' : canonicalText(parts.version);
  const head =
    canonicalText(parts.eventType.name) + canonicalText(system) + canonicalText(type) + canonicalText(externalId);
  return hash('sha256', head + version + linksText(parts.links) + statesText(parts) + payload, 'base64url');
}

/** Links come in one order, and in the spelling by which ids are compared. Where there are none nothing is added. */
function linksText(links: EventLinks | undefined): string {
  if (links === undefined) return '';
  const others = links.others.map(({ system, externalId }) => canonicalText(system) + canonicalText(externalId));
  return `[${others.join('')}${links.internalId === undefined ? '' : `=${canonicalText(links.internalId)}`}]`;
}

/** Which state an event names and which one it expects. Where it says neither nothing is added. */
function statesText({ state, expectedState }: FingerprintParts): string {
  if (state === undefined && expectedState === undefined) return '';
  const text = (name: string | undefined): string => (name === undefined ? '' : JSON.stringify(name));
  return `(${text(expectedState)}>${text(state)})`;
}

const treesByRules = new WeakMap<System, WeakMap<EventType, PointerTree>>();

/** The places in a payload that are ids, references or parts of a key, and those that may differ. */
function marksOf(source: System, eventType: EventType): PointerTree {
  const trees = treesByRules.get(source) ?? new WeakMap<EventType, PointerTree>();
  treesByRules.set(source, trees);
  const known = trees.get(eventType);
  if (known !== undefined) return known;
  const rules = (source.ingest?.webhooks ?? []).filter((rule) => rule.kind === 'event');
  const tree = plantTree([
    ...eventType.volatile.map(({ stretches }) => ({ stretches, mark: 'volatile' as const })),
    ...eventType.references.map(({ path }) => ({ stretches: path.stretches, mark: 'id' as const })),
    ...rules.filter((rule) => rule.eventType === eventType.name).flatMap(placesOf),
  ]);
  trees.set(eventType, tree);
  return tree;
}

function placesOf(rule: EventRule): MarkedPlace[] {
  return [
    ...idTemplates(rule)
      .flatMap((template) => stepsInPayload(template, rule))
      .map((steps) => ({ stretches: [steps], mark: 'id' as const })),
    ...[rule.idempotencyKey, ...(rule.version === undefined ? [] : [rule.version])]
      .flatMap((template) => stepsInPayload(template, rule))
      .map((steps) => ({ stretches: [steps], mark: 'key' as const })),
  ];
}

function idTemplates({ externalId, entityType, internalId, links }: EventRule): readonly Template[] {
  const others = links.map((link) => link.externalId);
  return [externalId, entityType, ...others, ...(internalId === undefined ? [] : [internalId])];
}

/** Templates read from the item, of which the payload may be only a part. */
function stepsInPayload(template: Template, { payload, each }: EventRule): readonly (readonly string[])[] {
  const base = payload !== undefined && 'pointer' in payload ? payload : undefined;
  return selectorsOf(template).flatMap((place) => {
    if (!('pointer' in place)) return [];
    if (each !== undefined && place.kind !== (base?.kind ?? 'item')) return [];
    const prefix = base?.pointer.steps ?? [];
    // A scalar element is carried as `{ "item": … }`.
    const isElement = each !== undefined && payload === undefined && place.pointer.steps.length === 0;
    const steps = isElement ? ['item'] : place.pointer.steps;
    return prefix.every((step, at) => steps[at] === step) ? [steps.slice(prefix.length)] : [];
  });
}
