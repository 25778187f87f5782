import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { CREDENTIALS, Installation } from '../../support/installation.js';

const CONTRACT = 'test/e2e/public-cases/signatures.crosswalk.yaml';

type Headers = readonly (readonly [string, string])[];
interface Step {
  readonly as?: string;
  readonly body: object;
  readonly bodies: readonly object[];
  readonly names: readonly string[];
  readonly values: readonly unknown[];
  readonly raw_hex: string;
}

function stepsOf(id: string): ReadonlyMap<string, Step> {
  const file = join(process.cwd(), 'test', 'cases', `${id}.json`);
  const { sequence } = JSON.parse(readFileSync(file, 'utf8')) as { readonly sequence: readonly Step[] };
  return new Map(sequence.map((step) => [step.as ?? '', step]));
}

function step(id: string, name: string): Step {
  const found = stepsOf(id).get(name);
  if (found === undefined) throw new Error(`${id} has no step ${name}.`);
  return found;
}

const hexOver = (body: string | Buffer): string =>
  createHmac('sha256', CREDENTIALS.CRM_API_KEY).update(body).digest('hex');
const signatureOver = (body: string | Buffer): string => `sha256=${hexOver(body)}`;

describe('public cases: signatures that the contract describes', () => {
  let crosswalk: Installation;

  beforeAll(async () => {
    crosswalk = await Installation.start({ contract: CONTRACT, roles: ['all'] });
  });

  afterAll(() => crosswalk.stop());

  /** Sends the headers as they stand: in this spelling, and as often as they stand there. */
  function send(system: string, body: string | Buffer, headers: Headers): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const url = `${crosswalk.client().url}/v1/webhooks/${system}`;
      const length: Headers = [
        ['Host', 'hub'],
        ['Content-Length', String(Buffer.byteLength(body))],
      ];
      const asked = request(url, { method: 'POST', headers: [...headers, ...length].flat() });
      asked.on('error', reject).on('response', (response) => {
        let text = '';
        response.on('data', (chunk) => (text += String(chunk)));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      asked.end(body);
    });
  }

  const typed = (...headers: Headers): Headers => [['Content-Type', 'application/json'], ...headers];

  test('C61: malformed signatures are refused with one answer; the case of the header’s name is free', async () => {
    const body = JSON.stringify(step('C61', 't').body);
    const hex = hexOver(body);
    const places: Readonly<Record<string, string>> = {
      '{63hex}': hex.slice(1),
      '{65hex}': `${hex}0`,
      'zz{62hex}': `zz${hex.slice(2)}`,
      'é{63chars}': `é${hex.slice(1)}`,
      '{good}': signatureOver(body),
      '{bad}': `sha256=${'0'.repeat(64)}`,
    };
    const fill = (value: unknown): string =>
      typeof value === 'string' ? (places[value] ?? value) : 'x'.repeat(10_000);
    const bad = step('C61', 't').values.map((value): Headers => {
      if (value === null) return [];
      return [value].flat().map((one) => ['X-Signature', fill(one)]);
    });
    // With the prefix that the contract asks for, too, so that only what stands behind it can be wrong.
    const prefixed = [hex.slice(1), `${hex}0`, `zz${hex.slice(2)}`, `é${hex.slice(1)}`, ''].map((value): Headers => [
      ['X-Signature', `sha256=${value}`],
    ]);
    const answers = new Set<string>();
    for (const headers of [...bad, ...prefixed]) {
      const answer = await send('gh-a', body, typed(...headers));
      answers.add(`${String(answer.status)} ${answer.text}`);
    }
    expect([...answers]).toEqual([expect.stringMatching(/^401 .*"code":"auth.failed"/)]);
    expect(await crosswalk.count('FROM events')).toBe(0);

    const { names, bodies } = step('C61', 'g');
    for (const [at, name] of names.entries()) {
      const good = JSON.stringify(bodies[0]).replace('{i}', String(at));
      expect(await send('gh-a', good, typed([name, signatureOver(good)]))).toMatchObject({ status: 200 });
    }
    expect(await crosswalk.count('FROM events')).toBe(names.length);
  });

  test('a sender behind a proxy signs the URL that it sees, or shows its password on either route', async () => {
    const order = (id: string): string => JSON.stringify({ entity: 'order', id, event: 'order.created', version: 1 });
    const signed = (url: string): Headers => [['X-Signature', signatureOver(`${url}${order('P1')}`)]];
    const statusOf = async (headers: Headers, id = 'P1') =>
      (await send('proxied', order(id), typed(...headers))).status;
    expect(await statusOf(signed('https://hub.example.com/in'))).toBe(200);
    expect(await statusOf(signed('http://hub/v1/webhooks/proxied'))).toBe(401);

    const basic = (password: string) => `Basic ${Buffer.from(`till:${password}`).toString('base64')}`;
    expect(await statusOf([['Authorization', basic(CREDENTIALS.WMS_API_KEY)]], 'P2')).toBe(200);
    expect(await statusOf([['Authorization', basic('wrong')]], 'P2')).toBe(401);
    const envelope = {
      idempotency_key: 'order.created:P2:v1',
      event_type: 'order.created',
      entity: { type: 'order', external_id: 'P2' },
      payload: JSON.parse(order('P2')) as object,
    };
    const body = JSON.stringify(envelope);
    const known = await crosswalk.client().sendEvent(body, { authorization: basic(CREDENTIALS.WMS_API_KEY) });
    expect(known).toMatchObject({ status: 200, body: { verdict: 'duplicate' } });
    expect((await crosswalk.client().sendEvent(body, { authorization: basic('wrong') })).status).toBe(401);
  });

  test('a key in a header needs a signature that covers it', async () => {
    const envelope = (id: string): string =>
      JSON.stringify({ event_type: 'order.created', entity: { type: 'order', external_id: id }, payload: {} });
    const ask = async (source: string, key: string, signature: string): Promise<number> => {
      const headers = { 'x-crosswalk-source': source, 'idempotency-key': key, 'x-signature': signature };
      return (await crosswalk.client().sendEvent(envelope('K1'), headers)).status;
    };
    const covered = hexOver(`K1.${envelope('K1')}`);
    expect(await ask('keyed', 'K1', covered)).toBe(202);
    expect(await ask('keyed', 'K2', covered)).toBe(401);
    expect(await ask('gh-a', 'K1', signatureOver(envelope('K1')))).toBe(403);
  });

  test('C62: a byte-order mark is signed but not read; JSON by any of its names is; other charsets are not', async () => {
    const marked = Buffer.from(step('C62', 'a').raw_hex, 'hex');
    const signed = (body: string | Buffer, type = 'application/json'): Promise<{ status: number; text: string }> =>
      send('sp-a', body, [
        ['Content-Type', type],
        ['X-Signature', signatureOver(body)],
      ]);
    expect((await signed(marked)).text).toContain('"accepted"');
    for (const [at, type] of step('C62', 't').values.entries()) {
      const body = JSON.stringify(step('C62', 't').body).replace('{i}', String(at));
      expect((await signed(body, String(type))).text).toContain('"accepted"');
    }
    const latin = Buffer.from(JSON.stringify(step('C62', 'l').body), 'latin1');
    expect((await signed(latin, 'application/json; charset=iso-8859-1')).status).toBe(415);
    expect((await signed(Buffer.from(step('C62', 'x').raw_hex, 'hex'))).status).toBe(400);

    await crosswalk.idle();
    expect(await crosswalk.client().internalId('sp-a', 'order', 'BM1')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await crosswalk.count(`FROM events WHERE payload LIKE '%' || chr(65533) || '%'`)).toBe(0);
  });
});
