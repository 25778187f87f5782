import { describe, expect, test } from '@jest/globals';
import { readEnvelope } from '../../../src/domain/envelope/read-envelope.js';
import type { EventId } from '../../../src/domain/ids.js';
import { readJson } from '../../../src/domain/json/read-json.js';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import { DiscardLetter } from '../../../src/operations/dead-letters/discard-letter.js';
import { EditLetter } from '../../../src/operations/dead-letters/edit-letter.js';
import { ReplayLetter } from '../../../src/operations/dead-letters/replay-letter.js';
import { named } from '../../support/contract-from.js';
import { wireShop } from '../../support/wired-shop.js';
import { deadEvent, wishAbout } from './dead-event.js';

describe('a dead event that a person edits', () => {
  const shop = wireShop();

  const edit = async (letterId: string, text: string, process = shop.first) =>
    process.get(EditLetter).edit(wishAbout(letterId), readJson(text, 'payload'));

  async function runAll(): Promise<void> {
    while (await shop.second.get(EventRunner).runDue());
  }

  test('goes on as an event of its own, once, and no digit is lost; the letter ends as edited', async () => {
    const payload = '{"name":"Ada","id":9007199254740993,"n":1}';
    const eventId = await deadEvent(shop, { externalId: 'C-1', payload, correlationId: 'process-1' });
    const text = '{"reason":"r","payload":{"name":"Ada","id":9007199254740993,"n":2.50}}';
    const answers = await Promise.all([edit(eventId, text), edit(eventId, text, shop.second), edit(eventId, text)]);
    answers.push(await edit(eventId, text));
    await runAll();

    const [became] = [...new Set(answers.map(({ event_id: id }) => id as string))];
    expect(new Set(answers.map(({ event_id: id }) => id)).size).toBe(1);
    expect(
      await shop.query('SELECT event_id, idempotency_key, correlation_id, payload FROM events ORDER BY 1'),
    ).toEqual([
      { event_id: eventId, idempotency_key: 'customer:C-1:v1', correlation_id: 'process-1', payload },
      {
        event_id: became,
        idempotency_key: 'customer:C-1:v1~edited',
        correlation_id: 'process-1',
        payload: '{"name":"Ada","id":9007199254740993,"n":2.50}',
      },
    ]);
    expect(await shop.query('SELECT status, outcome FROM trace WHERE event_id = $1', [eventId])).toEqual([
      { status: 'COMPLETED', outcome: 'edited' },
    ]);
    expect(await shop.query('SELECT status, outcome FROM trace WHERE event_id = $1 ORDER BY at', [became])).toEqual([
      { status: 'EDITED', outcome: null },
      { status: 'COMPLETED', outcome: 'applied' },
    ]);
    expect(await shop.query('SELECT action, after FROM audit WHERE subject = $1', [eventId])).toEqual([
      {
        action: 'dead_letter.edit',
        after: `{"event_id":"${became}","changes":[{"at":"/payload/n","before":1,"after":2.50}]}`,
      },
    ]);
  });

  test('keeps every part of its envelope that the edit does not name', async () => {
    const text = `{
      "event_type": "parcel.moved", "idempotency_key": "parcel:P-1:v3", "correlation_id": "process-7",
      "entity": {
        "type": "parcel", "system": "crm", "external_id": "P-1", "internal_id": "01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2a"
      },
      "links": [{ "system": "erp", "external_id": "E-1" }],
      "version": 3, "occurred_at": "2025-01-01T12:00:00.123456+08:00",
      "state": "sent", "expected_current_state": "packed",
      "retry": { "max_retry": 7, "backoff_base": 2.5, "retry_count": 1, "reject_reason": "theirs" },
      "payload": { "n": 1 }
    }`;
    const { value: envelope, sources: payloadSources } = readJson(text, 'payload');
    const reception = {
      contract: shop.contract,
      source: named(shop.contract.systems, 'crm'),
      correlationId: 'none',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      nowMicros: 1_800_000_000_000_000n,
    };
    const event = readEnvelope({ envelope, payloadSources, headerKey: undefined }, reception);
    const { eventId } = await shop.first.get(InboxService).remember(event);
    await shop.query(`UPDATE work SET status = 'dead', dead_at = now(), reject_reason = 'work.poison' WHERE key = $1`, [
      eventId,
    ]);
    const { event_id: became } = await edit(eventId, '{"payload":{"n":2}}');
    const [before, after] = await Promise.all(
      [eventId, became].map(async (id) => (await shop.first.get(InboxService).events([id as EventId]))[0]),
    );
    expect(before).toMatchObject({ state: 'sent', expected_state: 'packed', retry: expect.stringContaining('7') });
    expect(after).toEqual({
      ...before,
      event_id: became,
      idempotency_key: 'parcel:P-1:v3~edited',
      payload: expect.stringMatching(/^\{"n":2\}$/),
      received_at: expect.any(String),
    });
    await runAll();
  });

  test('of edits that differ, and a replay at the same moment, one counts', async () => {
    const eventId = await deadEvent(shop, { externalId: 'C-2' });
    const asked = await Promise.allSettled([
      edit(eventId, '{"payload":{"name":"one"}}'),
      edit(eventId, '{"payload":{"name":"two"}}', shop.second),
      shop.first.get(ReplayLetter).replay(wishAbout(eventId)),
    ]);
    await runAll();
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(
      await shop.query(
        `SELECT count(*)::int AS applied FROM trace JOIN events USING (event_id)
          WHERE events.external_id = 'C-2' AND outcome = 'applied'`,
      ),
    ).toEqual([{ applied: 1 }]);
  });

  test.each([
    ['{"payload":7}', 'envelope.invalid'],
    ['{"version":"seven"}', 'version.invalid'],
    ['{"version":null}', 'version.invalid'],
    ['{"entity":{"external_id":""}}', 'id.invalid'],
    ['{"entity":{"type":"order"}}', 'request.invalid'],
    ['{"payload":{"name":"C-3 v1"}}', 'request.invalid'],
  ])('is refused as the door would refuse it: %s is %s', async (text, code) => {
    const eventId = await deadEvent(shop, { externalId: 'C-3' });
    await expect(edit(eventId, text)).rejects.toMatchObject({ code });
    await shop.query('UPDATE work SET status = $2, dead_at = now() WHERE key = $1', [eventId, 'dead']);
  });

  test('is not an unread webhook, nor an event that lives', async () => {
    const webhook = {
      source: 'crm',
      body: '{"odd":1}',
      request: '{}',
      distinction: [],
      correlationId: 'p',
      reason: 'No rule.',
    };
    const unread = await shop.first.get(InboxService).keepUnmatched({ ...webhook, code: 'webhook.unmatched' });
    await expect(edit(unread, '{"payload":{}}')).rejects.toMatchObject({ code: 'dead_letter.not_editable' });
    const { eventId } = await shop.first.get(InboxService).remember(shop.event({ externalId: 'C-4' }));
    await expect(edit(eventId, '{"payload":{}}')).rejects.toMatchObject({ code: 'dead_letter.not_editable' });
  });

  test('or discards: it ends without effect, and its key stays taken', async () => {
    const eventId = await deadEvent(shop, { externalId: 'C-5' });
    const discard = shop.first.get(DiscardLetter);
    const wish = { ...wishAbout(eventId), reason: 'It shows crm-key-7f3a9b21c4.' };
    expect(await discard.discard(wish)).toMatchObject({ outcome: 'discarded' });
    await expect(discard.discard(wish)).rejects.toMatchObject({ code: 'dead_letter.not_found' });
    const copy = await shop.first.get(InboxService).remember(shop.event({ externalId: 'C-5' }));
    expect(copy).toMatchObject({ kind: 'duplicate', eventId, standing: { status: 'COMPLETED', outcome: 'discarded' } });
    expect(await shop.query('SELECT reason FROM audit WHERE subject = $1', [eventId])).toEqual([
      { reason: 'It shows ***.' },
    ]);
  });
});
