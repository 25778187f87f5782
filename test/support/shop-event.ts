import type { Contract } from '../../src/domain/contract/contract.js';
import { completeEvent } from '../../src/domain/envelope/complete-event.js';
import type { IdentityParts } from '../../src/domain/envelope/complete-links.js';
import type { TransitionParts } from '../../src/domain/envelope/complete-transition.js';
import type { ReceivedEvent } from '../../src/domain/event.js';
import { isJsonObject } from '../../src/domain/json/json.js';
import { readJson } from '../../src/domain/json/read-json.js';

export interface ShopEvent extends IdentityParts, TransitionParts {
  /** Default: crm. */
  readonly source?: string;
  /** `customer.updated`, `order.updated` …; what stands before the dot is the entity type. Default: customer.updated. */
  readonly eventType?: string;
  readonly externalId: string;
  /** Whose id it is; default: the source's. */
  readonly system?: string;
  readonly version?: number;
  /** Default: composed of entity type, external id and version. */
  readonly key?: string;
  /** JSON text. */
  readonly payload?: string;
  readonly correlationId?: string;
}

/** An event of the shop as the door would hand it to the inbox. */
export function shopEvent(contract: Contract, event: ShopEvent): ReceivedEvent {
  const { source: sourceName = 'crm', eventType = 'customer.updated', externalId, version = 1 } = event;
  const source = contract.systems.get(sourceName);
  const [entityType = ''] = eventType.split('.');
  const payloadText = event.payload ?? `{"name":"${externalId} v${version}"}`;
  const { value: payload } = readJson(payloadText);
  if (source === undefined || !isJsonObject(payload)) throw new Error('A test asks for an event that cannot be.');
  return completeEvent(
    {
      eventType,
      idempotencyKey: event.key ?? `${entityType}:${externalId}:v${version}`,
      entityType,
      entitySystem: event.system,
      externalId,
      internalId: event.internalId,
      links: event.links,
      version: String(version),
      state: event.state,
      expectedState: event.expectedState,
      occurredAt: undefined,
      payload,
      payloadText,
    },
    {
      contract,
      source,
      correlationId: event.correlationId ?? `process-${externalId}`,
      traceparent: undefined,
      nowMicros: BigInt(Date.now()) * 1000n,
    },
  );
}
