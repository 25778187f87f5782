import { hash } from 'node:crypto';
import type { System } from '../contract/contract.js';
import type { Pointer } from '../contract/pointer.js';
import { pointersOf } from '../contract/template.js';
import { normalizeIdText } from '../external-id.js';
import { canonicalJson, canonicalText, type IdPointerTree } from '../json/canonical-json.js';
import type { JsonObject } from '../json/json.js';

export interface FingerprintParts {
  readonly eventType: string;
  readonly entity: { readonly system: string; readonly type: string; readonly externalId: string };
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
  const head = canonicalText(parts.eventType) + canonicalText(system) + canonicalText(type) + canonicalText(externalId);
  return hash('sha256', head + version + payload, 'base64url');
}

const treesBySystem = new WeakMap<System, Map<string, IdPointerTree>>();

/** The pointers that the source's rules for this event type read as ids or as parts of a key. */
function idPointerTreeOf(source: System, eventType: string): IdPointerTree {
  const trees = treesBySystem.get(source) ?? new Map<string, IdPointerTree>();
  treesBySystem.set(source, trees);
  const known = trees.get(eventType);
  if (known !== undefined) return known;
  const rules = (source.ingest?.webhooks ?? []).filter((rule) => rule.eventType === eventType);
  const templates = rules.flatMap((rule) => [rule.idempotencyKey, rule.externalId, rule.version]);
  const tree = plantTree(templates.flatMap((template) => (template === undefined ? [] : pointersOf(template))));
  trees.set(eventType, tree);
  return tree;
}

interface GrowingTree {
  isId: boolean;
  readonly members: Map<string, GrowingTree>;
}

function plantTree(pointers: readonly Pointer[]): IdPointerTree {
  const root: GrowingTree = { isId: false, members: new Map() };
  for (const { steps } of pointers) {
    let node = root;
    for (const step of steps) {
      const next = node.members.get(step) ?? { isId: false, members: new Map<string, GrowingTree>() };
      node.members.set(step, next);
      node = next;
    }
    node.isId = true;
  }
  return root;
}
