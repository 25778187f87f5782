import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { Installation } from '../../support/installation.js';
import { envelopeOf, PublicCase } from '../../support/public-case.js';
import type { NeutralEvent } from '../../support/public-case.js';
import { runOnServer } from '../../support/template-database.js';
import { CASES_CONTRACT, KEYS, send, sendSigned, sendSignedForm } from './case-senders.js';

describe('public cases: versions, signatures, batches, a database that refuses', () => {
  let crosswalk: Installation;

  beforeAll(async () => {
    crosswalk = await Installation.start({ contract: CASES_CONTRACT, roles: ['all'] });
  });

  afterAll(() => crosswalk.stop());

  test('C17: version 10 is newer than version 9, as text or number, small or huge', async () => {
    const c17 = new PublicCase('C17');
    const outcomes: string[] = [];
    for (const step of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const answer = await send(crosswalk.client(), 'erp-a', c17.body(step));
      await crosswalk.idle();
      const event = await crosswalk.client().event(answer.body.conflict_event_id ?? answer.body.event_id ?? '');
      outcomes.push(event.outcome ?? event.status);
    }
    // The second 9 stands under the key of the first one and says something else.
    expect(outcomes).toEqual(['applied', 'applied', 'applied', 'conflict', 'applied', 'applied']);
    expect(await stateOf('7001')).toEqual({ s: 'eleven' });
    expect(await stateOf('7002')).toEqual({ s: 'q' });

    const notANumber = c17.body('g');
    const byEvent = JSON.stringify(envelopeOf(JSON.parse(notANumber) as NeutralEvent));
    expect(await crosswalk.client().sendEvent(byEvent, KEYS['erp-a'])).toMatchObject({
      status: 422,
      body: { code: 'version.invalid' },
    });
    expect(await send(crosswalk.client(), 'erp-a', notANumber)).toMatchObject({
      status: 200,
      body: { verdict: 'unmatched', reason_code: 'version.invalid' },
    });
    expect(await stateOf('7001')).toEqual({ s: 'eleven' });
  });

  async function stateOf(externalId: string): Promise<unknown> {
    const internalId = await crosswalk.client().internalId('erp-a', 'order', externalId);
    return (await crosswalk.client().entity('order', internalId)).data;
  }

  test('C59: the signature covers the bytes that arrived; an altered body is refused and leaves nothing', async () => {
    const c59 = new PublicCase('C59');
    for (const body of c59.bodies('t')) {
      expect(await sendSigned(crosswalk.client(), body)).toMatchObject({ status: 200, body: { verdict: 'accepted' } });
    }
    const form = 'entity=order&id=G8&event=order.created&version=1&t=%F0%9F%98%80+%1b';
    const asForm = await sendSignedForm(crosswalk.client(), form);
    expect(asForm).toMatchObject({ status: 200, body: { verdict: 'accepted' } });
    const before = await crosswalk.count('FROM events');
    const signed = c59.body('x');
    const altered = `${signed.slice(0, 1)} ${signed.slice(1)}`;
    expect(await sendSigned(crosswalk.client(), signed, altered)).toMatchObject({
      status: 401,
      body: { code: 'auth.failed' },
    });
    await crosswalk.idle();
    expect(await crosswalk.count('FROM events')).toBe(before);
    expect(await crosswalk.count(`FROM mappings WHERE system = 'gh-a'`)).toBe(7);
  });

  test('C66: one bad item does not sink its batch, and the batch may be sent again', async () => {
    const batch = new PublicCase('C66').items('x').map(envelopeOf);
    const x = await crosswalk.client().sendBatch(batch, KEYS['erp-a']);
    await crosswalk.idle();
    const y = await crosswalk.client().sendBatch(batch, KEYS['erp-a']);
    await crosswalk.idle();

    expect([x.status, y.status]).toEqual([200, 200]);
    expect(x.body.results.map(({ index }) => index)).toEqual(batch.map((_, index) => index));
    for (const { results } of [x.body, y.body]) {
      expect(results[40]).toMatchObject({ verdict: 'refused', code: 'id.invalid', at: '/entity/external_id' });
      expect(results[70]).toMatchObject({ verdict: 'refused', code: 'version.invalid', at: '/version' });
      expect(results[90]).toMatchObject({ verdict: 'duplicate', event_id: results[3]?.event_id });
    }
    const countOf = (verdict: string, { results }: typeof x.body): number =>
      results.filter((item) => item.verdict === verdict).length;
    expect([countOf('accepted', x.body), countOf('duplicate', x.body)]).toEqual([97, 1]);
    expect([countOf('accepted', y.body), countOf('duplicate', y.body)]).toEqual([0, 98]);
    const applied = `FROM trace JOIN events USING (event_id) WHERE outcome = 'applied' AND events.external_id ~ '^B[0-9]+$'`;
    expect(await crosswalk.count(applied)).toBe(97);

    const empty = await crosswalk.client().sendBatch([], KEYS['erp-a']);
    expect(empty).toMatchObject({ status: 422, body: { code: 'batch.empty' } });
    const tooMany = await crosswalk.client().sendBatch(
      Array.from({ length: 1001 }, () => batch[0]),
      KEYS['erp-a'],
    );
    expect(tooMany).toMatchObject({ status: 413, body: { code: 'batch.too_large' } });
  });

  test('C65: a database that takes no writes is a 503 with Retry-After; afterwards the retries apply once', async () => {
    const c65 = new PublicCase('C65');
    const deliveries = (as: string): string[] => Array.from({ length: 10 }, (_, i) => c65.body(as, { i: String(i) }));
    const before = await crosswalk.count('FROM events');

    await setReadOnly(true);
    const refused = await Promise.all(deliveries('t').map((body) => send(crosswalk.client(), 'shop-a', body)));
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'storage.unavailable' } });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await crosswalk.count('FROM events')).toBe(before);

    await setReadOnly(false);
    const retried = await eventually(async () => {
      const answers = await Promise.all(deliveries('u').map((body) => send(crosswalk.client(), 'shop-a', body)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      return answers;
    });
    await crosswalk.idle();
    expect(new Set(retried.map(({ body }) => body.event_id)).size).toBe(10);
    const applied = `FROM trace JOIN events USING (event_id) WHERE outcome = 'applied' AND events.external_id LIKE 'DU%'`;
    expect(await crosswalk.count(applied)).toBe(10);
    expect(await crosswalk.count('FROM events')).toBe(before + 10);
  });

  /** As after a failover to a standby: every connection breaks, and the next ones can only read. */
  async function setReadOnly(isReadOnly: boolean): Promise<void> {
    const [row] = await crosswalk.query<{ name: string }>('SELECT current_database() AS name');
    const name = row?.name ?? '';
    const change = isReadOnly ? 'SET default_transaction_read_only = on' : 'RESET default_transaction_read_only';
    await runOnServer(`ALTER DATABASE ${name} ${change}`);
    await runOnServer('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  }
});
