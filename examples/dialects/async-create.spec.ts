import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { RecordServerClient } from '../record-server-client.js';
import { startRecordServer, type RecordServer } from '../record-server.js';
import type { WebhookSetting } from '../webhooks.js';
import { callerOf, type Caller } from './call-system.js';

interface Received {
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

let server: RecordServer;
let control: RecordServerClient;
let call: Caller;
let hub: Server;
let received: Received[];
/** What the hub does with a webhook before it answers. */
let atWebhook: () => void;

beforeAll(async () => {
  server = await startRecordServer({ system: 'wms', dialect: 'async-create', port: 0 });
  control = new RecordServerClient(server.url);
  call = callerOf(server.url);
  hub = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ body: JSON.parse(Buffer.concat(chunks).toString()), headers: request.headers });
      atWebhook();
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await server.close();
  await new Promise((resolve) => hub.close(resolve));
});
beforeEach(async () => {
  received = [];
  atWebhook = () => undefined;
  await control.reset();
});

function webhook(more: Partial<WebhookSetting> = {}): { webhook: WebhookSetting } {
  const { port } = hub.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1/webhooks/wms`;
  return { webhook: { url, headers: { 'x-api-key': 'k' }, about: ['jobs'], ...more } };
}

async function begun(headers: Record<string, string> = {}): Promise<string> {
  const answer = await call('POST', '/customers', { body: { ref: 'r-1', name: 'Ada' }, headers });
  expect(answer.status).toBe(202);
  return (answer.json as { job_id: string }).job_id;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

describe('a job', () => {
  test('is pending until it ends, and no record is there before', async () => {
    await control.changeSettings({ jobs: { ends: 'by_control' } });
    const job = await begun();
    expect((await call('GET', `/jobs/${job}`)).json).toEqual({ job_id: job, status: 'pending' });
    expect((await call('GET', '/customers?ref=r-1')).json).toEqual([]);
    await control.endJob(job);
    const [record] = (await call('GET', '/customers?ref=r-1')).json as { id: number }[];
    expect((await call('GET', `/jobs/${job}`)).json).toEqual({
      job_id: job,
      status: 'done',
      result: { id: record?.id, ref: 'r-1' },
    });
    expect(record?.id).toEqual(expect.any(Number));
  });

  test('is refused with a reason, and ends once', async () => {
    await control.changeSettings({ jobs: { ends: 'by_control' } });
    const job = await begun();
    await control.endJob(job, 'no such country');
    expect((await call('GET', `/jobs/${job}`)).json).toEqual({
      job_id: job,
      status: 'failed',
      reason: 'no such country',
    });
    await expect(control.endJob(job)).rejects.toThrow('404');
    expect(await control.records('customers')).toEqual([]);
  });

  test('ends by itself where nothing else is said, and one that is unknown is 404', async () => {
    await begun();
    await until(async () => (await control.records('customers')).length === 1);
    expect((await call('GET', '/jobs/J-0')).status).toBe(404);
  });

  test('two creates under one key are one job', async () => {
    await control.changeSettings({ jobs: { ends: 'by_control' } });
    expect(await begun({ 'idempotency-key': 'k' })).toBe(await begun({ 'idempotency-key': 'k' }));
    expect(await control.jobs()).toHaveLength(1);
  });
});

describe('the webhook about a job', () => {
  test('names ticket, id and our reference, with the headers that were given', async () => {
    await control.changeSettings({ ...webhook(), jobs: { ends: 'by_control' } });
    const job = await begun();
    await control.endJob(job);
    const [record] = await control.records('customers');
    expect(received).toMatchObject([
      {
        body: { type: 'job.done', job_id: job, result: { id: Number(record?.id), ref: 'r-1' } },
        headers: { 'x-api-key': 'k' },
      },
    ]);
    expect(await control.webhooks()).toMatchObject([{ status: 200 }]);
  });

  test('names the reason of a refusal, and leaves our reference out where the system keeps none', async () => {
    await control.changeSettings({ ...webhook({ without_ref: true }), jobs: { ends: 'by_control' } });
    const [first, second] = [await begun(), await begun()];
    await control.endJob(first, 'no such country');
    await control.endJob(second);
    expect(received.map(({ body }) => body)).toEqual([
      { type: 'job.failed', job_id: first, reason: 'no such country' },
      { type: 'job.done', job_id: second, result: { id: expect.any(Number) } },
    ]);
  });

  test('comes before the 202 where control says so', async () => {
    await control.changeSettings({ ...webhook(), jobs: { ends: 'before_answer' } });
    let answered = false;
    const answeredAtWebhook: boolean[] = [];
    atWebhook = () => answeredAtWebhook.push(answered);
    await begun();
    answered = true;
    expect(answeredAtWebhook).toEqual([false]);
    expect(await control.records('customers')).toHaveLength(1);
  });

  test('to nobody is noted as unanswered, and disturbs nothing', async () => {
    const { webhook: setting } = webhook();
    await control.changeSettings({
      webhook: { ...setting, url: 'http://127.0.0.1:1/' },
      jobs: { ends: 'before_answer' },
    });
    await begun();
    expect(await control.webhooks()).toMatchObject([{ status: null }]);
  });
});

test('a system that tells its writes tells each of them in order, before the answer where control says so', async () => {
  const erp = await startRecordServer({
    system: 'erp',
    port: 0,
    settings: webhook({ about: ['writes'], before_answer: true }),
  });
  const speak = callerOf(erp.url);
  const { json } = await speak('POST', '/customers', { body: { ref: 'r-1', amount: 1.5 } });
  const { id } = json as { id: string };
  await speak('PATCH', `/customers/${id}`, { body: { amount: 2 } });
  await speak('DELETE', `/customers/${id}`);
  expect(received.map(({ body }) => body)).toMatchObject([
    { type: 'customers.created', id, ref: 'r-1', record: { ref: 'r-1', amount: 1.5 } },
    { type: 'customers.updated', id, record: { ref: 'r-1', amount: 2 } },
    { type: 'customers.deleted', id },
  ]);
  await erp.close();
});
