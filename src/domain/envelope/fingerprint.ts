import { hash } from 'node:crypto';
import type { EventType, System } from '../contract/contract.js';
import type { PathPattern } from '../contract/path-pattern.js';
import { pointersOf } from '../contract/template.js';
import type { EventLinks } from '../event.js';
import { normalizeIdText } from '../external-id.js';
import { canonicalJson, canonicalText, type IdPointerTree } from '../json/canonical-json.js';
import type { JsonObject } from '../json/json.js';

export interface FingerprintParts {
  readonly eventType: Pick<EventType, 'name' | 'references'>;
  readonly entity: { readonly system: string; readonly type: string; readonly externalId: string };
  readonly links: EventLinks | undefined;
  readonly version: string | undefined;
  readonly payload: JsonObject;
}

/**
 * One text for all copies of a fact, however it was printed; different content gives another. It leaves out what may
 * differ between two copies: correlation, times of sending, blanks, the order of members, the spelling of numbers and
 * instants. Ids inside the payload compare as text, in the spelling rules of the system that sent them.
 */
export function fingerprintOf(parts: FingerprintParts, source: System): string {
  const { system, type, externalId } = parts.entity;
  const payload = canonicalJson(parts.payload, {
    ids: idPointerTreeOf(source, parts.eventType),
    normalizeId: (id) => normalizeIdText(id, source.externalIds),
  });
  const version = parts.version === undefined ? '' : canonicalText(parts.version);
  const head =
    canonicalText(parts.eventType.name) + canonicalText(system) + canonicalText(type) + canonicalText(externalId);
  return hash('sha256', head + version + linksText(parts.links) + payload, 'base64url');
}

/** Links come in one order, and in the spelling by which ids are compared. Where there are none nothing is added. */
function linksText(links: EventLinks | undefined): string {
  if (links === undefined) return '';
  const others = links.others.map(({ system, externalId }) => canonicalText(system) + canonicalText(externalId));
  return `[${others.join('')}${links.internalId === undefined ? '' : `=${canonicalText(links.internalId)}`}]`;
}

const treesBySystem = new WeakMap<System, Map<string, IdPointerTree>>();

/** The places that the source's rules for this event type read as ids or as parts of a key, and its references. */
function idPointerTreeOf(source: System, { name, references }: FingerprintParts['eventType']): IdPointerTree {
  const trees = treesBySystem.get(source) ?? new Map<string, IdPointerTree>();
  treesBySystem.set(source, trees);
  const known = trees.get(name);
  if (known !== undefined) return known;
  const rules = (source.ingest?.webhooks ?? []).filter((rule) => rule.eventType === name);
  const templates = rules.flatMap((rule) => [rule.idempotencyKey, rule.externalId, rule.version]);
  const pointers = templates.flatMap((template) => (template === undefined ? [] : pointersOf(template)));
  const tree = plantTree([...pointers.map(({ steps }) => [steps]), ...references.map(({ path }) => path.stretches)]);
  trees.set(name, tree);
  return tree;
}

interface GrowingTree {
  isId: boolean;
  readonly members: Map<string, GrowingTree>;
  items?: GrowingTree;
}

const seed = (): GrowingTree => ({ isId: false, members: new Map() });

/** Between the stretches of a path lies every item of a list. */
function plantTree(paths: readonly PathPattern['stretches'][]): IdPointerTree {
  const root = seed();
  for (const stretches of paths) {
    let node = root;
    for (const [at, steps] of stretches.entries()) {
      if (at > 0) node = node.items ??= seed();
      for (const step of steps) {
        const next = node.members.get(step) ?? seed();
        node.members.set(step, next);
        node = next;
      }
    }
    node.isId = true;
  }
  return root;
}
