import { eventually } from '../support/eventually.js';
import { customerEnvelope } from './envelope.js';
import type { ShopApi } from './shop-api.js';

/** Lets the CRM report a customer and resolves to its internal id, once it has one and is applied. */
export async function knownCustomer(shop: ShopApi, externalId: string): Promise<string> {
  const body = customerEnvelope(externalId);
  await shop.ask('crm', 'POST /v1/events', { body });
  return eventually(async () => {
    const copy = await shop.ask('crm', 'POST /v1/events', { body });
    if (copy.body?.['status'] === 'COMPLETED') return String(copy.body['internal_id']);
    throw new Error(`${externalId} is not applied yet: ${copy.text}`);
  });
}
