import { describe, expect, test } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { contractFrom } from '../../../test/support/contract-from.js';
import { Credentials } from './credentials.js';

const contract = contractFrom(
  `
systems:
  crm:
    ingest:
      auth:
        - { scheme: api-key, header: X-Crm-Key, secrets: ['\${CRM_KEY}', '\${CRM_KEY_OLD}'] }
  erp: { ingest: { auth: { scheme: api-key, secrets: ['\${ERP_KEY}'] } } }
  till:
    ingest:
      auth: { scheme: basic, user: till, secrets: ['\${TILL_PASSWORD}', '\${TILL_PASSWORD_OLD}'] }
  shop: { ingest: { auth: { scheme: standard-webhooks, secrets: ['\${SHOP_SECRET}'] } } }
entities: { customer: { order_by: version } }
events: { customer.updated: { entity: customer, strategy: overwrite } }
access: [{ name: ops, role: operator, key: '\${OPS_KEY}' }]
`,
  {
    CRM_KEY: 'crm-1',
    CRM_KEY_OLD: 'crm-0',
    ERP_KEY: 'erp-1',
    OPS_KEY: 'ops-1',
    TILL_PASSWORD: 'a b:é',
    TILL_PASSWORD_OLD: 'old',
  },
);
const credentials = new Credentials(contract, [{ name: 'first', role: 'admin', key: 'first-1' }]);

const request = (headers: Readonly<Record<string, string | string[]>>): FastifyRequest =>
  ({ headers }) as unknown as FastifyRequest;

describe('an access key', () => {
  test.each([
    ['Bearer ops-1', 'ops'],
    ['bearer ops-1', 'ops'],
    ['Bearer   ops-1', 'ops'],
    ['Bearer first-1', 'first'],
    ['Bearer ops-2', undefined],
    ['Bearer OPS-1', undefined],
    ['Bearer crm-1', undefined],
    ['Bearer ', undefined],
    ['Bearer', undefined],
    ['Basic ops-1', undefined],
    ['ops-1', undefined],
    ['Bearer ops-1 x', undefined],
    ['xBearer ops-1', undefined],
  ])('%j is that of %s', (authorization, name) => {
    expect(credentials.accessKeyOf(request({ authorization }))?.name).toBe(name);
  });

  test('that is absent is nobody’s', () => {
    expect(credentials.accessKeyOf(request({}))).toBeUndefined();
  });
});

describe('a system’s own key', () => {
  const defaultHeader = contract.systems
    .get('erp')
    ?.ingest?.auth.flatMap((auth) => (auth.scheme === 'api-key' ? [auth.header.toLowerCase()] : []))[0];

  test.each([
    ['x-crm-key', 'crm-1', 'crm'],
    ['x-crm-key', 'crm-0', 'crm'],
    ['x-crm-key', 'erp-1', undefined],
    ['x-crm-key', '', undefined],
    ['x-other', 'crm-1', undefined],
    [String(defaultHeader), 'erp-1', 'erp'],
    [String(defaultHeader), 'crm-1', undefined],
  ])('in %s: %j is that of %s', (header, key, name) => {
    expect(credentials.systemOf(request({ [header]: key }))?.name).toBe(name);
  });

  test('that was sent twice is nobody’s', () => {
    expect(credentials.systemOf(request({ 'x-crm-key': ['crm-1', 'crm-1'] }))).toBeUndefined();
  });
});

describe('a user and a password', () => {
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

  test.each([
    [basic('till:a b:é'), 'till'],
    [basic('till:a b:é').replace('Basic', 'basic  '), 'till'],
    [basic('till:old'), 'till'],
    [basic('till:wrong'), undefined],
    [basic('other:old'), undefined],
    [basic('till'), undefined],
    [basic(''), undefined],
    ['Basic', undefined],
    ['Basic ====', undefined],
    ['Basic \u00e9', undefined],
    ['Bearer old', undefined],
  ])('%j is that of %s', (authorization, name) => {
    expect(credentials.systemOf(request({ authorization }))?.name).toBe(name);
  });
});
