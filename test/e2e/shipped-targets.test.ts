import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CrosswalkClient, type VerdictBody } from '../support/crosswalk-client.js';
import { eventually } from '../support/eventually.js';
import { exampleOnThisMachine } from '../support/example-on-this-machine.js';
import { startService } from '../support/service-process.js';
import { suiteResources } from '../support/suite-resources.js';
import { createTestDatabase } from '../support/test-database.js';
import { testRunFolder } from '../support/test-run.js';
import { changed, vendorPayload } from '../vendors/vendor-payload.js';

interface Reply {
  readonly status: number;
  readonly body?: unknown;
}

/** A target that answers what the test wants, and what it was called with. */
interface ScriptedTarget {
  url: string;
  /** `PUT /customers/7 {"name":"Ada"}`, the path decoded. */
  calls: string[];
  reply: (method: string) => Reply;
}

/** Serves a contract of `config/examples` as it is shipped, with its target played by the test. */
function serveExample(name: string, { address, key }: { readonly address: string; readonly key: string }) {
  const closeLater = suiteResources();
  const target: ScriptedTarget = { url: '', calls: [], reply: () => ({ status: 500 }) };
  const service: { client?: CrosswalkClient } = {};
  beforeAll(async () => {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const { method = '', url = '' } = request;
        target.calls.push(`${method} ${decodeURIComponent(url)} ${body}`.trim());
        const reply = target.reply(method);
        response.writeHead(reply.status, { 'content-type': 'application/json' });
        response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closeLater(async () => new Promise((resolve) => server.close(resolve).closeAllConnections()));
    const storage = await createTestDatabase();
    closeLater(async () => storage.drop());
    const folder = mkdtempSync(join(testRunFolder(), 'example-'));
    const { port } = server.address() as AddressInfo;
    const process = await startService({
      env: {
        [address]: `http://127.0.0.1:${port}`,
        [key]: 'the-source',
        WMS_API_KEY: 'the-wms',
        DATABASE_URL: storage.url,
        CROSSWALK_CONFIG: exampleOnThisMachine(name),
        CROSSWALK_DATA: folder,
        LOG_LEVEL: 'warn',
      },
    });
    closeLater(async () => process.stop());
    service.client = new CrosswalkClient(process.url, readFileSync(join(folder, 'admin-key'), 'utf8').trim());
  });
  beforeEach(() => {
    target.calls = [];
  });
  const client = (): CrosswalkClient => {
    if (service.client === undefined) throw new Error('The service does not run.');
    return service.client;
  };
  const sendCustomer = async (version: number, name: string): Promise<VerdictBody> => {
    const envelope = {
      event_type: 'customer.changed',
      idempotency_key: `customer:C-1:v${version}`,
      entity: { type: 'customer', external_id: 'C-1' },
      version,
      payload: { name },
    };
    const headers = { 'x-api-key': 'the-source', prefer: 'wait=8' };
    return (await client().sendEvent(JSON.stringify(envelope), headers)).body;
  };
  /** Waits until the delivery that the event asked for stands like this. */
  const delivered = async ({ event_id: eventId = '' }: VerdictBody, expected: object): Promise<void> => {
    await eventually(async () => expect((await client().event(eventId)).deliveries).toMatchObject([expected]));
  };
  return { target, client, sendCustomer, delivered };
}

describe('the contract for a target that answers a create later', () => {
  const { target, client, sendCustomer, delivered } = serveExample('async-create', {
    address: 'WMS_URL',
    key: 'CRM_API_KEY',
  });

  test('creates nothing, learns the id from the webhook, and then updates that record', async () => {
    const first = await sendCustomer(1, 'Ada');
    await delivered(first, { target: 'wms', status: 'dead', reason_code: 'target.unmappable' });
    expect(target.calls).toEqual([]);

    target.reply = () => ({ status: 200, body: {} });
    const done = changed(vendorPayload('async-create/job-done'), { '/result/ref': first.internal_id });
    const headers = { ...done.headers, 'x-api-key': 'the-wms', prefer: 'wait=8' };
    const told = await client().sendWebhook('wms', done.sent, headers);
    expect(told.body).toMatchObject({ verdict: 'accepted', internal_id: first.internal_id });

    // The id was all that was missing: what had been given up goes on by itself.
    await delivered(first, { target: 'wms', status: 'delivered' });
    expect(target.calls).toEqual(['PUT /customers/4711 {"name":"Ada"}']);

    await delivered(await sendCustomer(2, 'Ada Lovelace'), { target: 'wms', status: 'delivered' });
    expect(target.calls.slice(1)).toEqual(['PUT /customers/4711 {"name":"Ada Lovelace"}']);
  });
});

describe('the contract for an upsert in Salesforce', () => {
  const { target, client, sendCustomer, delivered } = serveExample('salesforce-upsert', {
    address: 'SALESFORCE_URL',
    key: 'ERP_API_KEY',
  });

  test('looks up the id that a 204 does not name, and writes by our reference', async () => {
    target.reply = (method) =>
      method === 'GET' ? { status: 200, body: { Id: '001Ws00003kTqYvIAK' } } : { status: 204 };
    const sent = await sendCustomer(1, 'Ada');
    await delivered(sent, { target: 'crm', status: 'delivered' });
    expect(await client().internalId('crm', 'customer', '001Ws00003kTqYvIAK')).toBe(sent.internal_id);
    const path = `/services/data/v61.0/sobjects/Account/Crosswalk__c/${String(sent.internal_id)}`;
    expect(new Set(target.calls)).toEqual(new Set([`PATCH ${path} {"Name":"Ada"}`, `GET ${path}`]));
  });
});

describe('the contract for SAP', () => {
  const { target, client, sendCustomer, delivered } = serveExample('sap-odata', {
    address: 'SAP_URL',
    key: 'CRM_API_KEY',
  });

  test('finds by our reference what a create with a lost answer has made', async () => {
    target.reply = (method) =>
      method === 'GET' ? { status: 200, body: { d: { results: [{ BusinessPartner: '1000042' }] } } } : { status: 500 };
    const sent = await sendCustomer(1, 'Ada');
    await delivered(sent, { target: 'sap', status: 'delivered' });
    expect(await client().internalId('sap', 'customer', '1000042')).toBe(sent.internal_id);
    const id = String(sent.internal_id);
    expect(target.calls).toEqual([
      `POST /sap/opu/odata/sap/API_BUSINESS_PARTNER/A_BusinessPartner {"BusinessPartnerCategory":"2","OrganizationBPName1":"Ada","YY1_Crosswalk_bus":"${id}"}`,
      `GET /sap/opu/odata/sap/API_BUSINESS_PARTNER/A_BusinessPartner?$filter=YY1_Crosswalk_bus eq '${id}'&$top=2&$format=json`,
    ]);
  });
});
