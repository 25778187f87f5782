import { composeKey, decomposeKey } from './business-key.js';
import type { EntityReference } from './event.js';
import { parseInternalId, type InternalId } from './ids.js';

/** A thing that an event waits for: an external id that nobody knows yet, or a step of an entity through its states. */
export type AwaitedThing =
  | ({ readonly kind: 'mapping' } & Pick<EntityReference, 'system' | 'type' | 'externalId'>)
  | { readonly kind: 'state'; readonly internalId: InternalId };

/** One text for the thing, by which whoever waits for it and whoever makes it happen find each other. */
export function awaitedName(thing: AwaitedThing): string {
  return thing.kind === 'mapping'
    ? composeKey(['mapping', thing.system, thing.type, thing.externalId])
    : composeKey(['state', thing.internalId]);
}

export function awaitedMapping({
  system,
  type,
  externalId,
}: Pick<EntityReference, 'system' | 'type' | 'externalId'>): AwaitedThing {
  return { kind: 'mapping', system, type, externalId };
}

/** @throws Error for a text that `awaitedName` did not make */
export function readAwaitedName(name: string): AwaitedThing {
  const [kind, ...parts] = decomposeKey(name);
  const [first = '', type, externalId] = parts;
  const internalId = parseInternalId(first);
  if (kind === 'state' && internalId !== undefined) return { kind, internalId };
  if (kind === 'mapping' && type !== undefined && externalId !== undefined) {
    return { kind, system: first, type, externalId };
  }
  throw new Error(`Nothing is awaited by the name of ${name}.`);
}
