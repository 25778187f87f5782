import type { Answer, CrosswalkClient } from '../support/crosswalk-client.js';
import { CREDENTIALS } from '../support/installation.js';

/** What the CRM of the fault suite says, as an envelope of the protocol. */
export interface Envelope {
  readonly idempotency_key: string;
  readonly event_type: string;
  readonly entity: { readonly type: string; readonly external_id: string };
  readonly version?: number;
  readonly state?: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export const CRM = { 'x-api-key': CREDENTIALS.CRM_API_KEY };

export function sendFact(client: CrosswalkClient, envelope: Envelope): Promise<Answer> {
  return client.sendEvent(JSON.stringify(envelope), CRM);
}

export function customerUpdated(id: string, version: number, name = `${id} v${version}`): Envelope {
  return fact('customer.updated', id, version, { name });
}

export function orderPlaced(id: string, version: number, customerId: string): Envelope {
  return fact('order.placed', id, version, { customer_id: customerId, total: `${version}.00` });
}

function fact(
  eventType: string,
  id: string,
  version: number,
  payload: Readonly<Record<string, unknown>>,
): Envelope & { readonly version: number } {
  const [type = ''] = eventType.split('.');
  const idempotency_key = `${eventType}:${id}:v${version}`;
  return { idempotency_key, event_type: eventType, entity: { type, external_id: id }, version, payload };
}

export function stockAdjusted(sku: string, noteId: number, payload: Readonly<Record<string, unknown>>): Envelope {
  return {
    idempotency_key: `stock.adjusted:${sku}:${noteId}`,
    event_type: 'stock.adjusted',
    entity: { type: 'stock', external_id: sku },
    payload,
  };
}

export function parcelMoved(id: string, state: string): Envelope {
  return {
    idempotency_key: `parcel:${id}:${state}`,
    event_type: 'parcel.moved',
    entity: { type: 'parcel', external_id: id },
    state,
    payload: { [state]: 'yes' },
  };
}
