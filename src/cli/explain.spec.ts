import { describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explain, type ExplainOptions } from './explain.js';

const CONTRACT = `systems:
  crm:
    ingest:
      auth: { scheme: api-key, secrets: ['\${CRM_KEY}'] }
      webhooks:
        - when: { header/x-topic: customer }
          event_type: customer.updated
          idempotency_key: 'customer:{/id}:v{/version}'
          entity: { type: customer, external_id: '{/id}' }
          version: '{/version}'
        - each: /ids
          when: { query/kind: seen }
          event_type: customer.seen
          idempotency_key: 'seen:{item}'
          entity: { type: customer, external_id: '{item}' }
        - when: { /type: ping }
          answer: { status: 200, text: pong }
entities: { customer: { order_by: version } }
events:
  customer.updated: { entity: customer, strategy: overwrite }
  customer.seen: { entity: customer, strategy: ignore }
`;

async function explained(payload: string, options: Partial<ExplainOptions> = {}, contractText = CONTRACT) {
  const folder = await mkdtemp(join(tmpdir(), 'crosswalk-explain-'));
  const [contract, file] = [join(folder, 'crosswalk.yaml'), join(folder, 'payload')];
  await Promise.all([writeFile(contract, contractText), writeFile(file, payload)]);
  try {
    const lines: string[] = [];
    const terminal = { log: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
    const all = { file, contract, system: 'crm', isEnvelope: false, headers: [], query: [], ...options };
    const exitCode = await explain(all, {}, terminal);
    return { exitCode, text: lines.join('\n').replaceAll(folder, 'FOLDER') };
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('crosswalk explain', () => {
  test('says what a webhook would be, by its body and its headers', async () => {
    expect(await explained('{"id":" C-1","version":17}', { headers: ['X-Topic: customer'] })).toEqual({
      exitCode: 0,
      text: `event type       customer.updated
idempotency key  customer:C-1:v17
unique within    crm:customer.updated
entity           customer \`C-1\` of crm
version          17
strategy         overwrite, ordered by version
delivered to     nobody
verdict          accepted, unless the key was used before (POST /v1/keys/explain knows)`,
    });
  });

  test('says it of each element of a list', async () => {
    const { exitCode, text } = await explained('{"ids":["a",""]}', { query: ['kind=seen'] });
    expect(exitCode).toBe(1);
    expect(text).toMatch(
      /^element 0\nevent type {7}customer\.seen\n[^]*\n\nelement 1\nunmatched {8}webhook\.unmatched: /,
    );
  });

  test('says it of a form, of an answer, and of what no rule reads', async () => {
    const form = { headers: ['Content-Type: application/x-www-form-urlencoded', 'X-Topic: customer'] };
    expect((await explained('id=C-1&version=17', form)).text).toContain('customer:C-1:v17');
    expect(await explained('{"type":"ping"}')).toEqual({ exitCode: 0, text: 'answered         200 pong' });
    expect(await explained('{}')).toEqual({
      exitCode: 1,
      text: 'unmatched        webhook.unmatched: No rule’s conditions hold for it.',
    });
    expect(await explained('{')).toMatchObject({
      exitCode: 1,
      text: expect.stringMatching(/^refused {2}body\.not_json: /),
    });
  });

  test('says it of an envelope, and warns of its key', async () => {
    const envelope = {
      event_type: 'customer.updated',
      idempotency_key: 'customer:C-1',
      entity: { type: 'customer', external_id: 'C-1' },
      version: 3,
      payload: {},
    };
    const good = await explained(JSON.stringify(envelope), { isEnvelope: true });
    expect(good.exitCode).toBe(0);
    expect(good.text).toMatch(/warning {10}too_coarse: /);
    const bad = await explained(JSON.stringify({ ...envelope, version: 'x' }), { isEnvelope: true });
    expect(bad).toMatchObject({
      exitCode: 1,
      text: expect.stringMatching(/^refused {10}version\.invalid at \/version: /),
    });
  });

  test('says where an event would move its entity to', async () => {
    const contract = CONTRACT.replace('order_by: version', 'order_by: version, states: { initial: A, A: [B], B: [] }')
      .replace('strategy: overwrite', `strategy: overwrite, transition: '{state}'`)
      .replace(`version: '{/version}'`, `version: '{/version}'\n          state: '{/status}'`)
      .replace(`state: '{/status}'`, `state: '{/status}'\n          expected_current_state: '{/before}'`);
    const said = async (body: string) => (await explained(body, { headers: ['X-Topic: customer'] }, contract)).text;
    expect(await said('{"id":"C-1","version":1,"status":"B"}')).toContain('\nmoves to         B\n');
    const expecting = await said('{"id":"C-1","version":1,"status":"B","before":"A"}');
    expect(expecting).toContain('\nmoves to         B, expected to be in A\n');
  });

  test('cannot be carried out without a file, for a system that nobody knows, or with a header that is none', async () => {
    expect((await explained('{}', { file: '/nowhere/x' })).exitCode).toBe(2);
    expect(await explained('{}', { system: 'sap' })).toEqual({
      exitCode: 2,
      text: 'The contract has no system `sap` that sends.',
    });
    expect(await explained('{}', { headers: ['nothing'] })).toMatchObject({ exitCode: 2 });
  });

  test('shows the mistakes of a contract that cannot be read', async () => {
    const { exitCode, text } = await explained('{}', {}, CONTRACT.replace('order_by', 'ordered_by'));
    expect(exitCode).toBe(1);
    expect(text).toContain('FOLDER/crosswalk.yaml:18:');
  });
});
