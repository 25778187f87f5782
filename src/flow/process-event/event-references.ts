import type { Contract } from '../../domain/contract/contract.js';
import { readReferences, type ReferencesByRule } from '../../domain/references.js';
import type { EventToProcess } from './event-to-process.js';

/**
 * The other entities that an event refers to.
 *
 * @throws SyncError `reference.invalid` where the contract has changed since the door read the event
 */
export function referencesOf(
  { eventType, entity, payload }: EventToProcess,
  contract: Contract,
): readonly ReferencesByRule[] {
  const rules = contract.eventTypes.get(eventType)?.references ?? [];
  const owner = contract.systems.get(entity.system);
  return owner === undefined || rules.length === 0 ? [] : readReferences(payload, rules, owner);
}
