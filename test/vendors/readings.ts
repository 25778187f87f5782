/** An event as its contract reads it; a digest in a key stands as `<digest>`. */
export interface Reading {
  readonly type: string;
  readonly key: string;
  readonly entity: string;
  readonly at?: string;
  readonly references?: readonly string[];
  readonly links?: readonly string[];
  readonly internalId?: string;
}

const CONTACT = 'customer 88120044551';
const ACCOUNT_UPDATE = '00051b7e-3d5c-4f0a-9e1b-7c2d8a6f4e11:3';
const SHIPMENTS =
  'https://ssapi6.shipstation.com/shipments?storeID=241060&batchId=187346218&includeShipmentItems=False';
const ORDERS = 'https://ssapi6.shipstation.com/orders?storeID=241060&importBatch=1b2c3d4e-5f60-4718-92a3-b4c5d6e7f809';

/** Each payload of this folder → the events that `config/examples/<vendor>.yaml` makes of it. */
export const READINGS: Readonly<Record<string, readonly Reading[]>> = {
  'shopify/orders-create': [
    {
      type: 'order.changed',
      key: 'order:5609814327633:orders/create:b0a1c2d3-4e5f-4a6b-9c8d-7e6f5a4b3c21',
      entity: 'order 5609814327633',
      at: '2026-02-11T15:20:41.000000Z',
      references: ['customer 7706234880337', 'product 8399105491281'],
    },
  ],
  'shopify/orders-updated': [
    {
      type: 'order.changed',
      key: 'order:5609814327633:orders/updated:b0a1c2d3-4e5f-4a6b-9c8d-7e6f5a4b3c22',
      entity: 'order 5609814327633',
      at: '2026-02-11T15:24:07.000000Z',
      references: ['customer 7706234880337', 'product 8399105491281'],
    },
  ],
  'shopify/orders-create-guest': [
    {
      type: 'order.changed',
      key: 'order:9223372036854775806:orders/create:b0a1c2d3-4e5f-4a6b-9c8d-7e6f5a4b3c23',
      entity: 'order 9223372036854775806',
      at: '2026-02-12T07:02:11.000000Z',
      references: ['product 8399105491281'],
    },
  ],
  'shopify/orders-delete': [
    {
      type: 'order.deleted',
      key: 'order:5609814327633:deleted',
      entity: 'order 5609814327633',
      at: '2026-02-20T10:00:00.512349Z',
    },
  ],
  'shopify/customers-create': [
    {
      type: 'customer.changed',
      key: 'customer:7706234880337:customers/create:b0a1c2d3-4e5f-4a6b-9c8d-7e6f5a4b3c25',
      entity: 'customer 7706234880337',
      at: '2026-02-10T08:14:02.000000Z',
    },
  ],
  'shopify/customers-update': [
    {
      type: 'customer.changed',
      key: 'customer:7706234880337:customers/update:b0a1c2d3-4e5f-4a6b-9c8d-7e6f5a4b3c26',
      entity: 'customer 7706234880337',
      at: '2026-02-11T15:20:41.000000Z',
    },
  ],
  'hubspot/contact-subscriptions': [
    {
      type: 'contact.changed',
      key: 'contact:88120044551:1770826840117:<digest>',
      entity: CONTACT,
      at: '2026-02-11T16:20:40.117000Z',
    },
    {
      type: 'contact.changed',
      key: 'contact:88120044551:1770826840530:<digest>',
      entity: CONTACT,
      at: '2026-02-11T16:20:40.530000Z',
    },
    {
      type: 'contact.changed',
      key: 'contact:88120044551:1770826840530:<digest>',
      entity: CONTACT,
      at: '2026-02-11T16:20:40.530000Z',
    },
    {
      type: 'contact.deleted',
      key: 'contact:70000391182:1770826840999:<digest>',
      entity: 'customer 70000391182',
      at: '2026-02-11T16:20:40.999000Z',
    },
  ],
  'stripe/customer-created': [
    {
      type: 'customer.changed',
      key: 'evt_1SzK2mLq8Rw4Yd0aCreated0',
      entity: 'customer cus_TkR41xQm0b7LaZ',
      at: '2026-02-11T16:20:00.000000Z',
      links: ['crm 88120044551'],
    },
  ],
  'stripe/customer-updated': [
    {
      type: 'customer.changed',
      key: 'evt_1SzK9pLq8Rw4Yd0aUpdated0',
      entity: 'customer cus_TkR41xQm0b7LaZ',
      at: '2026-02-11T16:28:31.000000Z',
      links: ['crm 88120044551'],
    },
  ],
  'stripe/customer-deleted': [
    {
      type: 'customer.deleted',
      key: 'evt_1T2a0cLq8Rw4Yd0aDeleted0',
      entity: 'customer cus_TkR41xQm0b7LaZ',
      at: '2026-02-20T10:00:00.000000Z',
    },
  ],
  'stripe/payment-intent-succeeded': [
    {
      type: 'payment.succeeded',
      key: 'payment_intent:pi_3SzKBtLq8Rw4Yd0a1kPq9xYv:succeeded',
      entity: 'payment pi_3SzKBtLq8Rw4Yd0a1kPq9xYv',
      at: '2026-02-11T16:30:04.000000Z',
      references: ['customer cus_TkR41xQm0b7LaZ'],
    },
  ],
  'stripe/charge-refunded': [
    {
      type: 'charge.refunded',
      key: 'evt_3SzKBtLq8Rw4Yd0a1Refund00',
      entity: 'charge ch_3SzKBtLq8Rw4Yd0a1mTg3bEw',
      at: '2026-02-13T16:26:40.000000Z',
      references: ['payment pi_3SzKBtLq8Rw4Yd0a1kPq9xYv', 'customer cus_TkR41xQm0b7LaZ'],
    },
  ],
  'woocommerce/order-created-guest': [
    {
      type: 'order.changed',
      key: 'order:7318:2026-02-11T16%3A05%3A13:<digest>',
      entity: 'order 7318',
      at: '2026-02-11T16:05:13.000000Z',
      references: ['product 412'],
    },
  ],
  'woocommerce/order-updated': [
    {
      type: 'order.changed',
      key: 'order:7319:2026-02-12T08%3A30%3A45:<digest>',
      entity: 'order 7319',
      at: '2026-02-12T08:30:45.000000Z',
      references: ['customer 26', 'product 412'],
    },
  ],
  'woocommerce/customer-created': [
    {
      type: 'customer.changed',
      key: 'customer:26:2026-02-11T17%3A10%3A31:<digest>',
      entity: 'customer 26',
      at: '2026-02-11T17:10:31.000000Z',
    },
  ],
  'woocommerce/customer-updated': [
    {
      type: 'customer.changed',
      key: 'customer:26:2026-02-12T08%3A30%3A46:<digest>',
      entity: 'customer 26',
      at: '2026-02-12T08:30:46.000000Z',
    },
  ],
  'odoo/res-partner': [
    {
      type: 'partner.changed',
      key: 'partner:7:2024-01-15 10%3A30%3A00:<digest>',
      entity: 'customer 7',
      at: '2024-01-15T10:30:00.000000Z',
    },
  ],
  'odoo/res-partner-of-a-company': [
    {
      type: 'partner.changed',
      key: 'partner:8:2024-01-15 10%3A31%3A07.482913:<digest>',
      entity: 'customer 8',
      at: '2024-01-15T10:31:07.482913Z',
      references: ['customer 7'],
    },
  ],
  'odoo/sale-order': [
    {
      type: 'sale_order.changed',
      key: 'sale_order:131:2024-01-15 10%3A45%3A12.000371:<digest>',
      entity: 'order 131',
      at: '2024-01-15T10:45:12.000371Z',
      references: ['customer 8'],
    },
  ],
  'salesforce/account-create': [
    {
      type: 'account.created',
      key: '001Ws00003kTqYvIAK:00051b7e-3d5c-4f0a-9e1b-7c2d8a6f4e10:1',
      entity: 'customer 001Ws00003kTqYvIAK',
      at: '2026-02-11T16:20:40.000000Z',
    },
  ],
  'salesforce/account-update-of-two': [
    {
      type: 'account.updated',
      key: `001Ws00003kTqYvIAK:${ACCOUNT_UPDATE}`,
      entity: 'customer 001Ws00003kTqYvIAK',
      at: '2026-02-11T17:20:40.000000Z',
      references: ['customer 001Ws00001aaBbCIAS'],
    },
    {
      type: 'account.updated',
      key: `001Ws00003kTqYwIAK:${ACCOUNT_UPDATE}`,
      entity: 'customer 001Ws00003kTqYwIAK',
      at: '2026-02-11T17:20:40.000000Z',
      references: ['customer 001Ws00001aaBbCIAS'],
    },
  ],
  'salesforce/account-delete': [
    {
      type: 'account.deleted',
      key: '001Ws00003kTqYwIAK:00051b7e-3d5c-4f0a-9e1b-7c2d8a6f4e12:1',
      entity: 'customer 001Ws00003kTqYwIAK',
      at: '2026-02-12T17:27:20.000000Z',
    },
  ],
  'salesforce/order-status-event': [
    {
      type: 'order.status_reported',
      key: '9f0d8a46-2b1c-4c55-8e34-61f7a2c0b9d8',
      entity: 'order SO-1042',
      at: '2026-02-12T08:30:50.000000Z',
    },
  ],
  'shipstation/ship-notify': [
    {
      type: 'shipments.noticed',
      key: `SHIP_NOTIFY:${SHIPMENTS.replaceAll(':', '%3A')}`,
      entity: `shipment_notice ${SHIPMENTS}`,
    },
  ],
  'shipstation/order-notify': [
    {
      type: 'orders.noticed',
      key: `ORDER_NOTIFY:${ORDERS.replaceAll(':', '%3A')}`,
      entity: `order_notice ${ORDERS}`,
    },
  ],
  'async-create/job-done': [
    {
      type: 'customer.stored',
      key: 'job:J-55012',
      entity: 'customer 4711',
      internalId: '01a22ca3-05c3-7c87-a33f-a9900f490953',
    },
  ],
};

/** Payloads that no rule reads, and why: they are kept as dead letters, not dropped. */
export const UNREADABLE: Readonly<Record<string, string>> = {
  'salesforce/account-gap-update': 'No rule’s conditions hold',
  'salesforce/account-update-of-all': 'No rule’s conditions hold',
  'shipstation/ship-notify-of-another-host': 'No rule’s conditions hold',
};
