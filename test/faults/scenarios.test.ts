import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CrosswalkClient } from '../support/crosswalk-client.js';
import type { Answer } from '../support/crosswalk-client.js';
import { eventually } from '../support/eventually.js';
import type { Statement } from '../support/postgres-statements.js';
import { CRM, customerUpdated, orderPlaced, sendFact } from './facts.js';
import type { Envelope } from './facts.js';
import { startFreezableProcess } from '../support/freezable-process.js';
import { FAULTS } from './long-run/faults.js';
import { Site } from './long-run/site.js';

/** Four processes, one after the other, and a database of their own. */
const START_TIMEOUT_MS = 300_000;

/** Two API and two worker processes, one of each with a clock that is five minutes off, behind proxies. */
describe('what goes wrong, one thing after the other', () => {
  let site: Site;
  let number = 0;

  beforeAll(async () => {
    site = await Site.start('test/faults/faults-contract.yaml');
  }, START_TIMEOUT_MS);

  afterAll(() => site.stop());

  function newCustomers(count: number): string[] {
    return Array.from({ length: count }, () => {
      number += 1;
      return `C-${number}`;
    });
  }

  /** As a careful sender does: again until somebody promises to keep it. */
  async function sendUntilKept(envelope: Envelope, at = 0): Promise<Answer> {
    for (let attempt = at; ; attempt++) {
      const answer = await sendFact(site.crosswalk.client(attempt), envelope).catch(() => undefined);
      if (answer !== undefined && answer.status < 300) return answer;
      expect(answer === undefined || answer.status === 503 || answer.status === 429).toBe(true);
    }
  }

  async function expectOnce(customerIds: readonly string[], version = 1): Promise<void> {
    await site.crosswalk.idle();
    const targets = [await site.crosswalk.erp.records('customers'), await site.crosswalk.wms.records('customers')];
    for (const id of customerIds) {
      expect(await site.crosswalk.count(`FROM events WHERE external_id = $1`, [id])).toBe(version);
      const ends = `FROM trace JOIN events USING (event_id) WHERE events.external_id = $1 AND trace.status = 'COMPLETED'`;
      expect(await site.crosswalk.count(ends, [id])).toBe(version);
      const internalId = await site.crosswalk.client().internalId('crm', 'customer', id);
      for (const records of targets) {
        const mine = records.filter(({ ref }) => ref === internalId);
        expect(mine.map(({ raw }) => JSON.parse(raw) as unknown)).toMatchObject([{ name: `${id} v${version}` }]);
      }
    }
  }

  test('fault 1: the same key twice, and fifty times at once by two doors, is one event and one effect', async () => {
    const [twice = '', atOnce = ''] = newCustomers(2);
    const first = await sendUntilKept(customerUpdated(twice, 1));
    const second = await sendUntilKept(customerUpdated(twice, 1), 1);
    expect(second.body).toMatchObject({ verdict: 'duplicate', event_id: first.body.event_id });

    const copies = Array.from({ length: 50 }, async (_, at) => sendUntilKept(customerUpdated(atOnce, 1), at));
    const answers = await Promise.all(copies);
    expect(answers.filter(({ body }) => body.verdict === 'accepted')).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.event_id)).size).toBe(1);
    await expectOnce([twice, atOnce]);
  });

  test('fault 2: workers killed after the commit of an effect and before they know of it leave one effect', async () => {
    const customerIds = newCustomers(5);
    const killed = new Promise<void>((resolve) => {
      site.database.watch(({ text, transaction }) => {
        if (text !== 'COMMIT' || !isEffect(transaction)) return undefined;
        site.database.watch(undefined);
        // They die before the answer is there; the commit goes on its way.
        void Promise.all(site.of('worker').map(({ service }) => service.kill('SIGKILL'))).then(() => resolve());
        return undefined;
      });
    });
    await Promise.all(customerIds.map(async (id, at) => sendUntilKept(customerUpdated(id, 1), at)));
    await killed;
    await Promise.all(site.of('worker').map(async (worker) => site.killAndRestart(worker)));
    await expectOnce(customerIds);
  });

  test('fault 5: one fact as Java, Go, Python and TypeScript print it is one key and one content', async () => {
    const [id = ''] = newCustomers(1);
    const entity = `"entity":{"type":"customer","external_id":"${id}"}`;
    const head = `"idempotency_key":"customer:${id}:v1","event_type":"customer.updated"`;
    const printed = {
      java: `{${head},${entity},"version":1,"payload":{"at":"2025-01-01T12:00:00.000+08:00","name":"${id} v1","of":"J\\u00fcrgen","path":"a\\/b","rate":1.0E2}}`,
      go: `{"payload":{"rate":100,"path":"a/b","of":"Jürgen","name":"${id} v1","at":"2025-01-01T04:00:00Z"},"version":1,${entity},${head}}`,
      python: `{ ${head}, "version": 1, ${entity}, "payload": { "rate": 100.0, "at": "2025-01-01T04:00:00+00:00", "name": "${id} v1", "of": "J\\u00FCrgen", "path": "a/b" } }`,
      typescript: `{${entity},${head},"payload":{"name":"${id} v1","of":"Jürgen","rate":1e2,"path":"a/b","at":"2025-01-01T04:00:00.000Z"},"version":"1"}`,
    };
    const answers: Answer[] = [];
    for (const [at, text] of Object.values(printed).entries()) {
      answers.push(await site.crosswalk.client(at).sendEvent(text, CRM));
    }
    expect(answers.map(({ body }) => body.verdict)).toEqual(['accepted', 'duplicate', 'duplicate', 'duplicate']);
    expect(new Set(answers.map(({ body }) => body.event_id)).size).toBe(1);
    await expectOnce([id]);
  });

  test.each(Object.keys(FAULTS).filter((name) => name.startsWith('Redis')))(
    'fault 6: %s: nothing is refused wrongly, nothing is doubled',
    async (name) => {
      const customerIds = newCustomers(20);
      await Promise.all(customerIds.map(async (id, at) => sendUntilKept(customerUpdated(id, 1), at)));
      const fault = FAULTS[name]?.(site, () => 0);
      const more = newCustomers(20);
      for (const [at, id] of [...customerIds, ...more].entries()) {
        // Without trying again: Redis is no reason to turn anybody away.
        const answer = await sendFact(site.crosswalk.client(at), customerUpdated(id, 1));
        const verdict = more.includes(id) ? 'accepted' : 'duplicate';
        expect(answer).toMatchObject({ status: more.includes(id) ? 202 : 200, body: { verdict } });
      }
      await fault;
      for (const [at, id] of more.entries()) {
        expect((await sendUntilKept(customerUpdated(id, 1), at)).body.verdict).toBe('duplicate');
      }
      await expectOnce([...customerIds, ...more]);
    },
  );

  test('fault 7: digits beyond a double survive from the sender to the target, and no spelling changes the key', async () => {
    const id = '9007199254740993';
    const send = async (external: string, amount: string): Promise<Answer> => {
      const entity = `{"type":"payment","external_id":${external}}`;
      const text = `{"idempotency_key":"payment:${id}","event_type":"payment.completed","entity":${entity},"payload":{"amount":${amount}}}`;
      return site.crosswalk.client().sendEvent(text, CRM);
    };
    expect((await send(id, '9007199254740993.10')).body.verdict).toBe('accepted');
    expect((await send(`"${id}"`, '9007199254740993.1')).body.verdict).toBe('duplicate');
    expect((await send(id, '90071992547409931e-1')).body.verdict).toBe('duplicate');
    // One digit lost on the way is another content under the same key: set aside, never taken for a copy.
    expect(await send(id, '9007199254740992.1')).toMatchObject({ status: 422, body: { verdict: 'conflict' } });
    await site.crosswalk.idle();
    expect(await site.crosswalk.count('FROM mappings WHERE external_id = $1', [id])).toBe(1);
    const records = (await site.crosswalk.erp.records('payments')).filter(({ raw }) =>
      raw.includes('9007199254740993'),
    );
    expect(records.map(({ raw }) => /"amount":([0-9.]+)/.exec(raw)?.[1])).toEqual(['9007199254740993.10']);
  });

  test('fault 8: a worker frozen past its lease and thawed changes nothing that was done without it', async () => {
    const customerIds = newCustomers(30);
    const [worker] = site.of('worker');
    await site.crosswalk.erp.scriptFaults([{ kind: 'delay', ms: 100, times: '*' }]);
    await Promise.all(customerIds.map(async (id, at) => sendUntilKept(customerUpdated(id, 1), at)));
    await eventually(async () => expect((await site.crosswalk.erp.calls()).length).toBeGreaterThan(0));
    await worker?.service.kill('SIGSTOP');
    await Promise.all(customerIds.map(async (id, at) => sendUntilKept(customerUpdated(id, 2), at)));
    await site.crosswalk.idle();
    await worker?.service.kill('SIGCONT');
    await site.crosswalk.erp.scriptFaults([]);
    await expectOnce(customerIds, 2);
  });

  test('fault 9: PostgreSQL restarts immediately under load: what was promised is there, once', async () => {
    const customerIds = newCustomers(120);
    const left = [...customerIds];
    const sender = async (at: number): Promise<void> => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) await sendUntilKept(customerUpdated(id, 1), at);
    };
    const senders = Array.from({ length: 8 }, async (_, at) => sender(at));
    await eventually(() => expect(left.length).toBeLessThan(80), { everyMs: 5 });
    await site.postgres.restartImmediately();
    await Promise.all(senders);
    await expectOnce(customerIds);
  });

  test('fault 10: the answers to a commit at the door, of an effect and of a delivery are lost: once all the same', async () => {
    for (const [at, id] of newCustomers(3).entries()) {
      site.database.loseAnswerTo(at === 0 ? 'INSERT INTO idempotency_keys' : 'COMMIT');
      await sendUntilKept(customerUpdated(id, 1));
      await expectOnce([id]);
    }
  });

  test('fault 11: an event from which no worker comes back is set aside after five tries, and the others flow', async () => {
    const [poison = '', ...others] = newCustomers(11);
    const order = `O-${poison}`;
    await sendUntilKept(orderPlaced(order, 1, poison));
    await site.crosswalk.idle();
    const internalId = await site.crosswalk.client().internalId('crm', 'order', order);

    // Whoever speaks of this order to the database never comes back; the door does not know its internal id.
    site.database.refuse(internalId);
    const killer = await sendUntilKept(orderPlaced(order, 2, poison));
    await Promise.all(others.map(async (id, at) => sendUntilKept(customerUpdated(id, 1), at)));
    await eventually(async () => {
      const event = await site.crosswalk.client().event(killer.body.event_id ?? '');
      expect(event).toMatchObject({ status: 'DEAD', reason_code: 'work.poison' });
    });
    await expectOnce(others);
    site.database.refuse(undefined);
    expect((await site.crosswalk.client().entity('order', internalId)).data).toMatchObject({ total: '1.00' });
  });

  test('fault 12: with one clock five minutes ahead and one behind, times are those of the database', async () => {
    const microseconds = 3_600_000_000;
    for (const [at, id] of newCustomers(2).entries()) {
      await sendUntilKept(customerUpdated(id, 1), at);
      await expectOnce([id]);
      const [row] = await site.crosswalk.query<{ id_off_s: number; trace_off_s: number; leases: string }>(
        `SELECT abs(extract(epoch FROM now()) - ('x' || translate(left(events.event_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)::float8 AS id_off_s,
                abs(extract(epoch FROM now() - max(trace.at)))::float8 AS trace_off_s, '' AS leases
           FROM events JOIN trace USING (event_id) WHERE events.external_id = $1 GROUP BY events.event_id`,
        [id],
      );
      expect(row?.id_off_s).toBeLessThan(200);
      expect(row?.trace_off_s).toBeLessThan(200);
    }
    const [{ now_us: nowMicros } = { now_us: '0' }] = await site.crosswalk.query<{ now_us: string }>(
      `SELECT (extract(epoch FROM now()) * 1000000)::bigint AS now_us`,
    );
    const ahead = (minutes: number): string =>
      new Date((Number(nowMicros) + (minutes * microseconds) / 60) / 1_000).toISOString();
    for (const at of [0, 1]) {
      const [soon = '', late = ''] = newCustomers(2);
      const send = async (id: string, occurred_at: string): Promise<Answer> =>
        site.crosswalk.client(at).sendEvent(JSON.stringify({ ...customerUpdated(id, 1), occurred_at }), CRM);
      expect(await send(soon, ahead(3))).toMatchObject({ status: 202 });
      expect(await send(late, ahead(8))).toMatchObject({ status: 422, body: { code: 'occurred_at.in_future' } });
    }
  });

  test('fault 13: an API process frozen before and after its group commit: the other door takes the same keys, once', async () => {
    const victim = await startFreezableProcess(site.crosswalk, 'api', site.postgres.url);
    const itsDoor = new CrosswalkClient(victim.service.url, '');
    const theOther = new CrosswalkClient(site.of('api')[0]?.service.url ?? '', '');
    const isTheCommit = ({ text }: Statement): boolean => text.includes('INSERT INTO idempotency_keys');
    const isTheLookUp = ({ text }: Statement): boolean => text.includes('JOIN idempotency_keys');
    for (const [isIt, when] of [
      [isTheCommit, 'before'],
      [isTheCommit, 'after'],
      [isTheLookUp, 'before'],
    ] as const) {
      const customerIds = newCustomers(10);
      if (isIt === isTheLookUp) {
        for (const id of customerIds) expect((await sendFact(theOther, customerUpdated(id, 1))).status).toBe(202);
      }
      const freeze = victim.freezeAt(isIt, when);
      const held = customerIds.map(async (id) => sendFact(itsDoor, customerUpdated(id, 1)).catch(() => undefined));
      await freeze.frozen;
      for (const id of customerIds) {
        const { status } = await sendFact(theOther, customerUpdated(id, 1));
        expect({ step: isIt === isTheCommit ? 'commit' : 'look-up', when, isKept: status < 300, status }).toMatchObject(
          {
            isKept: true,
          },
        );
      }
      const before = await site.crosswalk.count('FROM events WHERE external_id = ANY($1)', [customerIds]);
      expect(before).toBe(customerIds.length);
      await freeze.thaw();
      for (const answer of await Promise.all(held))
        if (answer?.status !== 503) expect(answer?.status).toBeLessThan(300);
      await expectOnce(customerIds);
    }
    await site.crosswalk.killProcess(victim.service);
    await victim.proxy.close();
  });

  test('fault 6: PostgreSQL goes back to an older state and Redis does not: what was forgotten is taken anew', async () => {
    const [before = '', after = ''] = newCustomers(2);
    await sendUntilKept(customerUpdated(before, 1));
    await expectOnce([before]);
    const putBack = await site.postgres.backUp();
    await sendUntilKept(customerUpdated(after, 1));
    expect((await sendUntilKept(customerUpdated(after, 1))).body.verdict).toBe('duplicate');
    await expectOnce([after]);
    await putBack();

    expect((await sendUntilKept(customerUpdated(before, 1))).body.verdict).toBe('duplicate');
    expect((await sendUntilKept(customerUpdated(after, 1))).body.verdict).toBe('accepted');
    await site.crosswalk.idle();
    expect(await site.crosswalk.count('FROM events WHERE external_id = $1', [after])).toBe(1);
    const internalId = await site.crosswalk.client().internalId('crm', 'customer', after);
    expect((await site.crosswalk.client().entity('customer', internalId)).data).toEqual({ name: `${after} v1` });
  });
});

function isEffect(transaction: readonly string[]): boolean {
  return transaction.some((text) => text.includes('INSERT INTO records'));
}
