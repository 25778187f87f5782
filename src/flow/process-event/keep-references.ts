import type { Contract } from '../../domain/contract/contract.js';
import { mergeReferences, type DatedReferences, type RecordReferences } from '../../domain/record-references.js';
import type { ReferencesByRule } from '../../domain/references.js';
import { recordKey, type HeldEntity } from '../entities/held-entities.js';
import type { Effect } from './decide-event.js';
import { orderValueOf as orderValue } from './event-to-decide.js';
import type { EventToProcess } from './event-to-process.js';
import type { ResolvedEvent } from './resolve-events.js';

/**
 * Keeps with the record which entities it refers to, rule by rule and by the date of who said so: so it does not matter
 * in which order events come, a late one included. An event that is put before a person changes nothing here either.
 */
export function keepReferences(resolved: ResolvedEvent, entity: HeldEntity, effect: Effect, contract: Contract): void {
  const { event, references } = resolved;
  const key = recordKey(event.source, event.entity);
  const record = entity.records.get(key);
  if (record === undefined || references.length === 0 || effect.outcome === 'conflict') return;
  // What replaces the whole record speaks about places where nothing stands as well; a patch leaves them as they are.
  const replaces = contract.eventTypes.get(event.eventType)?.strategy === 'overwrite';
  const date = { order: orderValueOf(event, contract), key: replaces ? '' : event.idempotencyKey };
  const spoken = references.filter(({ isSaid }) => isSaid || replaces);
  const said: RecordReferences = new Map(
    spoken.map((each): [string, DatedReferences] => [
      each.rule.path.source,
      { ...date, references: kept(each, resolved) },
    ]),
  );
  const merged = mergeReferences(record.references, said);
  if (merged !== record.references) entity.records.set(key, { ...record, references: merged, isChanged: true });
}

function orderValueOf(event: EventToProcess, contract: Contract): bigint | undefined {
  const entityType = contract.entityTypes.get(event.entity.type);
  return entityType === undefined ? undefined : orderValue(event, entityType);
}

function kept({ found }: ReferencesByRule, { identities }: ResolvedEvent): DatedReferences['references'] {
  return found.map(({ path, entity }) => ({ path, entityType: entity.type, internalId: identities.of(entity) }));
}
