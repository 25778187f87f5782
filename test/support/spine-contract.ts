import type { Contract } from '../../src/domain/contract/contract.js';
import { contractFrom } from './contract-from.js';

/** A small contract in which every order, strategy and kind of rule of the spine occurs once. */
export function spineContract(): Contract {
  return contractFrom(TEXT, { ERP_URL: 'http://127.0.0.1:4010' });
}

const TEXT = `
systems:
  crm:
    ingest:
      auth: { scheme: api-key, secrets: ['\${CRM_KEY}'] }
      webhooks:
        - when: { /type: customer, /live: ['true', 'yes'] }
          event_type: customer.updated
          idempotency_key: 'customer:{/id}:v{/version}'
          entity: { type: customer, external_id: '{/id}' }
          version: '{/version}'
          occurred_at: '{/at}'
          correlation_id: '{/process}'
        - when: { /type: stock }
          event_type: stock.counted
          idempotency_key: '{/key}'
          entity: { type: stock, external_id: '{/sku}:{/warehouse}' }
          occurred_at: '{/at}'
        - when: { /type: any }
          event_type: entity.updated
          idempotency_key: '{/key}'
          entity: { type: '{/entity_type}', external_id: '{/id}' }
          version: '{/version}'
      fields:
        customer: { name: /full_name, email: /contact/email }
  erp:
    ingest:
      auth: { scheme: api-key, secrets: ['\${ERP_KEY}'] }
    deliver:
      base_url: '\${ERP_URL}'
      allow_private: true
      entities:
        customer:
          create: { post: /customers, body: entity.data, external_id: /id }
          update: { put: '/customers/{external_id}', body: entity.data }
  wms:
    external_ids: { normalize: [] }
    ingest:
      auth: { scheme: api-key, secrets: ['\${WMS_KEY}'] }
entities:
  customer: { order_by: version, compose: { default: [crm, erp], email: [erp, crm] } }
  stock: { order_by: occurred_at }
  payment: { order_by: arrival }
events:
  customer.updated: { entity: customer, strategy: overwrite, deliver_to: [erp] }
  customer.noted: { entity: customer, strategy: ignore, deliver_to: [erp] }
  customer.seen: { entity: customer, strategy: ignore, apply: none }
  stock.counted: { entity: stock, strategy: overwrite }
  payment.completed: { entity: payment, strategy: ignore, scope: { shared: [crm, erp] } }
  entity.updated: { entity: '*', strategy: overwrite }
`;
