import { describe, expect, test } from '@jest/globals';
import jsonata from 'jsonata';
import { readFileSync } from 'node:fs';
import { messageOf } from '../../../test/support/message-of.js';
import { readJson } from '../json/read-json.js';
import { holds } from './condition.js';
import type { Contract } from './contract.js';
import { readContract } from './read-contract.js';
import { fillTemplate } from './template.js';

const ENVIRONMENT: Readonly<Record<string, string>> = {
  CRM_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  CRM_API_KEY: 'crm',
  ERP_API_KEY: 'erp',
  WMS_API_KEY: 'wms',
  ERP_URL: 'http://127.0.0.1:4001',
  WMS_URL: 'http://127.0.0.1:4002/',
};

const contract = readSample();

function readSample(): Contract {
  const text = readFileSync(new URL('../../../config/crosswalk.yaml', import.meta.url), 'utf8');
  const read = readContract(text, (name) => ENVIRONMENT[name]);
  if (read.kind === 'refused') throw new Error(JSON.stringify(read.mistakes));
  return read.contract;
}

/** What the CRM's first matching rule makes of a body. */
function readBody(text: string): Readonly<Record<string, unknown>> | undefined {
  const message = messageOf(readJson(text).value);
  const rules = contract.systems.get('crm')?.ingest?.webhooks ?? [];
  const rule = rules.find(({ when }) => when.every((condition) => holds(condition, message)));
  if (rule?.kind !== 'event') return undefined;
  const { eventType, idempotencyKey, entityType, externalId, version } = rule;
  const parts = { key: idempotencyKey, entityType, externalId, ...(version && { version }) };
  const filled = Object.entries(parts).map(([part, template]) => [part, fillTemplate(template, message)] as const);
  const texts = filled.map(([part, result]) => [part, result.kind === 'text' ? result.text : result]);
  return { eventType, ...(Object.fromEntries(texts) as Record<string, unknown>) };
}

describe('the sample contract', () => {
  test('connects three systems that share four entity types', () => {
    expect([...contract.systems.keys()]).toEqual(['crm', 'erp', 'wms']);
    expect([...contract.entityTypes.keys()]).toEqual(['customer', 'order', 'payment', 'stock']);
    expect([...(contract.systems.get('erp')?.deliver?.entities.keys() ?? [])]).toEqual([
      'customer',
      'order',
      'payment',
    ]);
    expect([...(contract.systems.get('wms')?.deliver?.entities.keys() ?? [])]).toEqual(['customer', 'order', 'stock']);
    expect(contract.systems.get('wms')?.deliver?.baseUrl).toBe('http://127.0.0.1:4002');
  });

  test.each([
    [
      '{"idempotent_key":"PAY-20240315-0042:PAID","event_type":"payment.completed","payment_id":"PAY-20240315-0042","status":"PAID","amount":1299.00}',
      {
        eventType: 'payment.completed',
        key: 'PAY-20240315-0042:PAID',
        entityType: 'payment',
        externalId: 'PAY-20240315-0042',
      },
    ],
    [
      '{"idempotent_key":"SKU-8823:WH-SZ-01:BATCH-20240315-003","event_type":"inventory.adjusted","sku":"SKU-8823","warehouse":"WH-SZ-01","batch":"BATCH-20240315-003","delta":-5}',
      {
        eventType: 'inventory.adjusted',
        key: 'SKU-8823:WH-SZ-01:BATCH-20240315-003',
        entityType: 'stock',
        externalId: 'SKU-8823:WH-SZ-01',
      },
    ],
    [
      '{"idempotent_key":"customer:C-10042:v17","event_type":"entity.updated","entity_type":"customer","entity_id":"C-10042","version":17}',
      {
        eventType: 'entity.updated',
        key: 'customer:C-10042:v17',
        entityType: 'customer',
        externalId: 'C-10042',
        version: '17',
      },
    ],
    [
      '{"event_type":"customer.updated","customer_id":"C-1","version":3,"updated_at":"2025-01-01T12:00:00Z","full_name":"Ada","contact":{"email":"ada@example.com"}}',
      {
        eventType: 'customer.updated',
        key: 'customer:C-1:v3',
        entityType: 'customer',
        externalId: 'C-1',
        version: '3',
      },
    ],
    ['{"event_type":"customer.seen"}', undefined],
  ])('reads %s', (body, event) => {
    expect(readBody(body)).toEqual(event);
  });

  test('every body that a target gets carries our reference, and a payment its amount', async () => {
    const entity = { internal_id: 'I-1', type: 'payment', revision: 1, data: { name: 'Ada', amount: 12.5 } };
    const targets = [...contract.systems.values()].flatMap(({ deliver }) => [...(deliver?.entities ?? [])]);
    expect(targets).toHaveLength(6);
    for (const [entityType, { create, update }] of targets) {
      for (const source of [create?.body, update?.body]) {
        const body: unknown = await jsonata(source ?? '').evaluate({ entity });
        expect(body).toMatchObject(entityType === 'payment' ? { ref: 'I-1', amount: 12.5 } : { ref: 'I-1' });
      }
    }
  });
});
