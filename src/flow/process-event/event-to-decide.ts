import { hash } from 'node:crypto';
import type { Contract, EntityType, EventType } from '../../domain/contract/contract.js';
import { writerKey } from '../../domain/business-key.js';
import { valueAt } from '../../domain/contract/pointer.js';
import { canonicalJson } from '../../domain/json/canonical-json.js';
import type { Json, JsonObject } from '../../domain/json/json.js';
import { mapFields, withoutPlace } from '../../domain/map-fields.js';
import type { EventToDecide, Share } from '../strategies/decision.js';
import type { EventToProcess } from './event-to-process.js';

/** What decides how an event is read. */
export interface EventRules {
  readonly eventType: EventType;
  readonly entityType: EntityType;
  readonly contract: Contract;
}

/** The event by canonical fields and with its order value, as the strategies see it. */
export function eventToDecide(event: EventToProcess, { eventType, entityType, contract }: EventRules): EventToDecide {
  const rules = contract.systems.get(event.source)?.ingest?.fields.get(event.entity.type);
  const mapped = mapFields(event.payload, rules);
  // Where the payload's names are the fields' names, what a sum adds would be a field of its own as well.
  const fields = rules === undefined ? withoutSummands(mapped, eventType) : mapped;
  const plain = withoutFields(fields, entityType.mergedFields);
  return {
    key: writerKey(event.idempotencyKey, event.eventType),
    orderValue: orderValueOf(event, entityType),
    occurredAt: event.occurredAtMicros,
    fields: plain,
    shares: sharesOf(event, mapped, eventType),
    contentHash: hash('sha256', canonicalJson(plain), 'base64url'),
  };
}

/** What says which of two events about a record is the newer one. */
export function orderValueOf(event: EventToProcess, entityType: EntityType): bigint | undefined {
  switch (entityType.orderBy) {
    case 'version':
      return event.version === undefined ? undefined : BigInt(event.version);
    case 'occurred_at':
      return event.occurredAtMicros;
    case 'arrival':
      return undefined;
  }
}

/** An absent field adds nothing, nor does null, but for `latest`, which it clears. A sum without number is a mistake. */
function sharesOf({ payload }: EventToProcess, fields: JsonObject, { merge }: EventType): ReadonlyMap<string, Share> {
  const shares = new Map<string, Share>();
  for (const [field, rule] of merge) {
    const value = rule.kind === 'sum' ? (valueAt(payload, rule.pointer) ?? null) : fields.get(field);
    if (value === undefined || (value === null && rule.kind !== 'sum' && rule.kind !== 'latest')) continue;
    shares.set(field, { rule, value });
  }
  return shares;
}

function withoutFields(fields: JsonObject, names: ReadonlySet<string>): JsonObject {
  return names.size === 0 ? fields : new Map<string, Json>([...fields].filter(([field]) => !names.has(field)));
}

function withoutSummands(fields: JsonObject, { merge }: EventType): JsonObject {
  return [...merge.values()].reduce(
    (rest, rule) => (rule.kind === 'sum' ? withoutPlace(rest, rule.pointer.steps) : rest),
    fields,
  );
}
