import { describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { expectProblem } from './expect-problem.js';
import { serveShop, testThatAnswersAreDescribed } from './shop-api.js';

const MERMAID = `stateDiagram-v2
  state "packed" as s0
  state "sent" as s1
  state "arrived" as s2
  [*] --> s0
  s0 --> s1
  s1 --> s2
  s1 --> s0
  s2 --> [*]
`;

describe('states', () => {
  const shop = serveShop();
  const moved = (state: string, more: Readonly<Record<string, unknown>> = {}) => ({
    idempotency_key: `parcel:P-1:${JSON.stringify([state, more])}`,
    event_type: 'parcel.moved',
    entity: { type: 'parcel', external_id: 'P-1' },
    version: 1,
    state,
    payload: { weight: 1 },
    ...more,
  });

  test('GET …/states: 200 with the graph, as JSON and as a diagram', async () => {
    const { status, body } = await shop.ask('viewer', 'GET /v1/entity-types/parcel/states');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        entity_type: 'parcel',
        initial: 'packed',
        states: [
          { name: 'packed', next: ['sent'], is_terminal: false },
          { name: 'sent', next: ['arrived', 'packed'], is_terminal: false },
          { name: 'arrived', next: [], is_terminal: true },
        ],
        is_cyclic: true,
        mermaid: MERMAID,
      },
    });
    const diagram = await shop.ask('viewer', 'GET /v1/entity-types/parcel/states?format=mermaid');
    expect(diagram.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(diagram.text).toBe(MERMAID);
  });

  test('GET …/states: 404 for a type without states and for one that does not exist, 400 for another format', async () => {
    for (const type of ['customer', 'nothing']) {
      expectProblem(await shop.ask('viewer', `GET /v1/entity-types/${type}/states`), 'states.not_found');
    }
    const other = await shop.ask('viewer', 'GET /v1/entity-types/parcel/states?format=svg');
    expectProblem(other, 'request.invalid');
  });

  test('POST /v1/events: an event keeps the state that it names and the one that it expects', async () => {
    const { status, body } = await shop.ask('crm', 'POST /v1/events', {
      body: moved('sent', { expected_current_state: 'packed' }),
    });
    expect(status).toBe(202);
    const event = await shop.ask('viewer', `GET /v1/events/${String(body?.['event_id'])}`);
    expect(event.body).toMatchObject({ state: 'sent', expected_current_state: 'packed' });
    const again = await shop.ask('crm', 'POST /v1/events', {
      body: moved('sent', { expected_current_state: 'packed' }),
    });
    expect(again).toMatchObject({ status: 200, body: { verdict: 'duplicate' } });
  });

  test('POST /v1/events: 422 for a state that nobody knows, and without the order that a circle needs', async () => {
    expectProblem(await shop.ask('crm', 'POST /v1/events', { body: moved('lost') }), 'state.unknown', '/state');
    const unordered = await shop.ask('crm', 'POST /v1/events', { body: moved('sent', { version: null }) });
    expectProblem(unordered, 'version.invalid', '/version');
    const meaningless = moved('sent', { event_type: 'parcel.arrived' });
    expectProblem(await shop.ask('crm', 'POST /v1/events', { body: meaningless }), 'envelope.invalid', '/state');
  });

  test('POST /v1/events: 422 for another state under a used key', async () => {
    const key = { idempotency_key: 'parcel:P-2:v1', entity: { type: 'parcel', external_id: 'P-2' } };
    expect((await shop.ask('crm', 'POST /v1/events', { body: moved('sent', key) })).status).toBe(202);
    const other = await shop.ask('crm', 'POST /v1/events', { body: moved('packed', key) });
    expect(other).toMatchObject({ status: 422, body: { code: 'key.conflict' } });
  });

  test('POST /v1/webhooks/{system}: a rule reads both; a state that nobody knows is a dead letter', async () => {
    const hook = { event_type: 'parcel.moved', parcel_id: 'P-3', version: 1, status: 'sent', before: 'packed' };
    const taken = await shop.ask('crm', 'POST /v1/webhooks/crm', { body: hook });
    expect(taken).toMatchObject({ status: 200, body: { verdict: 'accepted' } });
    const event = await shop.ask('viewer', `GET /v1/events/${String(taken.body?.['event_id'])}`);
    expect(event.body).toMatchObject({ state: 'sent', expected_current_state: 'packed' });
    const lost = await shop.ask('crm', 'POST /v1/webhooks/crm', { body: { ...hook, version: 2, status: 'lost' } });
    expect(lost).toMatchObject({ status: 200, body: { verdict: 'unmatched' } });
    const letter = await shop.ask('viewer', `GET /v1/events/${String(lost.body?.['event_id'])}`);
    expect(letter.body).toMatchObject({ status: 'DEAD', reason_code: 'state.unknown' });
  });

  test('POST /v1/keys/explain: where an event would move its entity to', async () => {
    const body = { system: 'crm', envelope: moved('sent', { idempotency_key: 'another' }) };
    const { body: answer } = await shop.ask('viewer', 'POST /v1/keys/explain', { body });
    expect(answer).toMatchObject({ results: [{ verdict: 'accepted', state: 'sent' }] });
  });

  test('GET /v1/entities/…: the state, and the path without its confirmations', async () => {
    const entity = { type: 'parcel', external_id: 'P-4' };
    await shop.ask('crm', 'POST /v1/events', { body: moved('packed', { entity }) });
    const route = await eventually(async () => {
      const mapping = await shop.ask('viewer', 'GET /v1/mappings/crm/parcel/P-4');
      const found = `GET /v1/entities/parcel/${String(mapping.body?.['internal_id'])}`;
      expect((await shop.ask('viewer', found)).status).toBe(200);
      return found;
    });
    const path = [
      { state: 'packed' },
      { state: 'sent', event_id: '01890a5d-ac96-774b-bcce-b302099a8057', order: '9007199254740993' },
      { state: 'sent', event_id: '01890a5d-ac96-774b-bcce-b302099a8058', order: '9007199254740994' },
    ];
    await shop.query(`UPDATE entities SET state = 'sent', path = $1 WHERE internal_id = $2`, [
      JSON.stringify(path),
      route.split('/').at(-1),
    ]);
    expect((await shop.ask('viewer', route)).body).toMatchObject({
      state: 'sent',
      path: [
        { state: 'packed' },
        { state: 'sent', event_id: '01890a5d-ac96-774b-bcce-b302099a8057', order_value: '9007199254740993' },
      ],
    });
  });

  testThatAnswersAreDescribed(shop);
});
