import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpConnection, type RawAnswer } from '../../support/http-connection.js';
import { CREDENTIALS, Installation } from '../../support/installation.js';
import { envelopeOf, PublicCase, type NeutralEvent } from '../../support/public-case.js';
import type { Answer } from '../../support/crosswalk-client.js';

const SHOP_A = { 'x-api-key': CREDENTIALS.CRM_API_KEY };
const SHOP_B = { 'x-api-key': CREDENTIALS.ERP_API_KEY };

describe('public cases: hostile text, shapes and headers', () => {
  let crosswalk: Installation;

  beforeAll(async () => {
    crosswalk = await Installation.start({
      contract: 'test/e2e/public-cases/hostile.crosswalk.yaml',
      roles: ['all'],
      logLevel: 'info',
    });
  });

  afterAll(() => crosswalk.stop());

  const webhook = async (body: string): Promise<Answer> => crosswalk.client().sendWebhook('shop-a', body, SHOP_A);
  /** The same fact as an envelope; under a key of its own where the composed one could not be a key. */
  const event = async (body: string, key?: string): Promise<Answer> => {
    const envelope = envelopeOf(JSON.parse(body) as NeutralEvent);
    const keyed = key === undefined ? envelope : { ...envelope, idempotency_key: key };
    return crosswalk.client().sendEvent(JSON.stringify(keyed), SHOP_A);
  };
  const internalId = async (entityType: string, externalId: string): Promise<string> =>
    crosswalk.client().internalId('shop-a', entityType, externalId);

  test('C04: composed and decomposed spellings are one mapping, look-alikes are not', async () => {
    const c04 = new PublicCase('C04');
    for (const step of ['a', 'b', 'c', 'd']) {
      expect(await webhook(c04.body(step))).toMatchObject({ status: 200, body: { verdict: 'accepted' } });
      await crosswalk.idle();
    }
    expect(await internalId('customer', 'Caf\u00e9-01')).toBe(await internalId('customer', 'Cafe\u0301-01'));
    expect(await internalId('customer', 'ACME-1')).not.toBe(await internalId('customer', '\uff21CME-1'));
    expect(await crosswalk.count(`FROM mappings WHERE entity_type = 'customer'`)).toBe(3);
    const spellings = await crosswalk.query<{ raw_external_id: string }>(
      `SELECT raw_external_id FROM events WHERE external_id = $1 ORDER BY version`,
      ['Caf\u00e9-01'],
    );
    const sent = ['a', 'b'].map((step) => (JSON.parse(c04.body(step)) as NeutralEvent).id);
    expect(spellings.map(({ raw_external_id }) => raw_external_id)).toEqual(sent);
  });

  test('C06: blanks around an id are cut on every path; case and inner blanks are kept', async () => {
    const c06 = new PublicCase('C06');
    for (const step of ['a', 'b']) {
      expect(await webhook(c06.body(step))).toMatchObject({ body: { verdict: 'accepted' } });
    }
    const batch = await crosswalk.client().sendBatch(c06.items('c').map(envelopeOf), SHOP_A);
    expect(batch.body.results).toMatchObject([{ verdict: 'accepted' }]);
    for (const step of ['e', 'f', 'g', 'h']) expect(await event(c06.body(step))).toMatchObject({ status: 202 });
    await crosswalk.idle();

    const sku = await internalId('product', 'SKU-1');
    for (const spelling of ['SKU-1 ', '\u00a0SKU-1', '\tSKU-1\n'])
      expect(await internalId('product', spelling)).toBe(sku);
    const ids = ['SKU-1', 'sku-1', '123 Oak', '001A0000AbCdEfG', '001A0000ABCDEFG'];
    expect(new Set(await Promise.all(ids.map(async (id) => internalId('product', id)))).size).toBe(5);
    expect(await crosswalk.count(`FROM mappings WHERE entity_type = 'product'`)).toBe(5);

    const other = await internalId('product', 'sku-1');
    const written = { system: 'shop-a', entity_type: 'product', external_id: '\u00a0SKU-1' };
    expect(await writeBack({ ...written, internal_id: sku })).toBe(200);
    expect(await writeBack({ ...written, internal_id: other })).toBe(409);
    expect(await internalId('product', 'SKU-1')).toBe(sku);
  });

  async function writeBack(mapping: object): Promise<number> {
    const headers = { ...SHOP_A, 'content-type': 'application/json' };
    const body = JSON.stringify(mapping);
    return (await fetch(`${crosswalk.client().url}/v1/mappings`, { method: 'PUT', headers, body })).status;
  }

  test('C06: an id of nothing but blanks is refused, and by a webhook kept for a person', async () => {
    const blank = new PublicCase('C06').body('z');
    expect(await event(blank)).toMatchObject({ status: 422, body: { code: 'id.invalid' } });
    expect(await webhook(blank)).toMatchObject({
      status: 200,
      body: { verdict: 'unmatched', reason_code: 'webhook.unmatched' },
    });
  });

  test('C67: NUL is kept in payloads and refused in ids, half a surrogate pair is refused, text about them is text', async () => {
    const deadBefore = await crosswalk.count(`FROM work WHERE status = 'dead'`);
    const answers: string[] = [];
    for (const [at, body] of new PublicCase('C67').bodies('t').entries()) {
      const { status, body: answer } = await event(body, `C67:${at}`);
      answers.push(`${status} ${answer.code ?? answer.verdict}`);
    }
    await crosswalk.idle();
    expect(answers).toEqual([
      '202 accepted',
      '202 accepted',
      '422 id.invalid',
      '202 accepted',
      '400 body.lone_surrogate',
      '202 accepted',
    ]);
    const noteOf = async (externalId: string): Promise<unknown> =>
      (await crosswalk.client().entity('customer', await internalId('customer', externalId))).data['note'];
    expect(await noteOf('NU1')).toBe('a\u0000b');
    expect(await noteOf('NU5')).toBe('lit \\u0000 text');
    expect(await crosswalk.count(`FROM mappings WHERE external_id LIKE 'NU3%'`)).toBe(1);
    expect(await crosswalk.count(`FROM work WHERE status = 'dead'`)).toBe(deadBefore);
  });

  test('C69: hostile shapes are refused or handled, the process lives and answers what comes next', async () => {
    const eventsBefore = await crosswalk.count('FROM events');
    const shapes = {
      'nested 5,000 deep': `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
      'nested 100,000 deep': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
      '200,000 numbers': `{"n":[${Array.from({ length: 200_000 }, (_, at) => at % 10).join()}]}`,
      '30 MB': `{"s":"${'x'.repeat(30_000_000)}"}`,
      '100,000 names': `{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`).join()}}`,
      'a text of 5 MB': `{"s":"${'x'.repeat(5_000_000)}"}`,
    };
    const answers = await Promise.all(
      Object.entries(shapes).map(async ([name, data], at) => {
        const body = `{"entity":"customer","id":"SHAPE-${at}","event":"customer.created","version":1,"data":${data}}`;
        return [name, await statusOf(webhook(body))] as const;
      }),
    );
    expect(Object.fromEntries(answers)).toEqual({
      'nested 5,000 deep': 400,
      'nested 100,000 deep': 400,
      '200,000 numbers': 200,
      '30 MB': expect.anything(),
      '100,000 names': 413,
      'a text of 5 MB': 413,
    });
    expect([413, 'cut off']).toContain(Object.fromEntries(answers)['30 MB']);
    const accepted = answers.filter(([, status]) => status === 200).length;
    expect(await webhook(new PublicCase('C69').body('n'))).toMatchObject({
      status: 200,
      body: { verdict: 'accepted' },
    });
    await crosswalk.idle();
    expect(await crosswalk.count('FROM events')).toBe(eventsBefore + accepted + 1);
    expect(await internalId('customer', 'HS1')).toMatch(/^[0-9a-f-]{36}$/);
    expect(crosswalk.output()).not.toContain('"level":50');
  });

  test('C83: a correlation id is data: safe ones are kept, others replaced, and it opens nothing', async () => {
    const connection = new HttpConnection(Number(new URL(crosswalk.client().url).port));
    const hostile = [
      'a%0d%0aX-Evil: 1',
      'a\tb',
      'x'.repeat(9_000),
      '\u00f0\u009f\u0098\u0080',
      '"},{"level":"fatal"',
      'a\r\nX-Evil: 1\r\nX-Correlation-Id: two',
      '',
    ];
    const ask = async (at: number, correlationId: string): Promise<RawAnswer> => {
      const body = JSON.stringify({ entity: 'order', id: `CI${at}`, event: 'order.created', version: 1, data: {} });
      const lines = [
        'POST /v1/webhooks/shop-a HTTP/1.1',
        'Host: here',
        `X-Api-Key: ${SHOP_A['x-api-key']}`,
        `X-Correlation-Id: ${correlationId}`,
        `Content-Length: ${body.length}`,
      ];
      return connection.send(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1'));
    };
    const kept = await ask(0, 'ok-id_1');
    expect([kept.status, kept.headers.get('x-correlation-id')]).toEqual([200, 'ok-id_1']);
    for (const [at, correlationId] of hostile.entries()) {
      const { status, headers } = await ask(at + 1, correlationId);
      expect([status, headers.get('x-evil')]).toEqual([200, undefined]);
      expect(headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
    // Longer than all headers together may be.
    expect((await ask(99, 'x'.repeat(16_384))).status).toBe(400);
    connection.close();

    const order = JSON.stringify({ entity: 'order', id: 'CIB', event: 'order.created', version: 1, data: {} });
    await crosswalk.client().sendWebhook('shop-b', order, { ...SHOP_B, 'x-correlation-id': 'ok-id_1' });
    await crosswalk.idle();
    // A trace is read by people; a system that knows or guesses an id of another one's process sees nothing by it.
    const trace = `${crosswalk.client().url}/v1/traces/ok-id_1`;
    for (const headers of [SHOP_A, SHOP_B]) expect((await fetch(trace, { headers })).status).not.toBe(200);
    const rows = await crosswalk.query(
      `SELECT source, external_id FROM events WHERE correlation_id = 'ok-id_1' ORDER BY source`,
    );
    expect(rows).toEqual([
      { source: 'shop-a', external_id: 'CI0' },
      { source: 'shop-b', external_id: 'CIB' },
    ]);

    const records = crosswalk
      .output()
      .split('\n')
      .filter((line) => line.includes('event.received'));
    expect(records.length).toBeGreaterThan(hostile.length);
    for (const record of records) {
      expect(JSON.parse(record)).toMatchObject({ msg: 'event.received' });
      expect(record.length).toBeLessThan(2_000);
    }
    expect(crosswalk.output()).not.toContain('fatal');
  });
});

/** A body that is refused before it is read may cost its sender the connection. */
async function statusOf(asked: Promise<Answer>): Promise<number | 'cut off'> {
  return asked.then(
    ({ status }) => status,
    () => 'cut off' as const,
  );
}
