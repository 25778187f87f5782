import { describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import { wireShop } from '../../support/wired-shop.js';

/** The tables that the transaction of an event writes, in the order in which it does; the trace comes last. */
const WRITTEN = ['mappings', 'entities', 'records', 'deliveries', 'work', 'trace'] as const;

describe('an event whose transaction fails', () => {
  const shop = wireShop();

  /** Makes PostgreSQL refuse the rows that an effect writes into one table. */
  const refusal: Readonly<Record<(typeof WRITTEN)[number], string>> = {
    mappings: 'false',
    entities: 'false',
    records: 'false',
    deliveries: 'false',
    work: `kind <> 'delivery'`,
    trace: `status <> 'COMPLETED'`,
  };

  test.each(WRITTEN)('at %s leaves nothing but its dead letter', async (table) => {
    await shop.query(`ALTER TABLE ${table} ADD CONSTRAINT refused CHECK (${refusal[table]})`);
    const { eventId } = await shop.first.get(InboxService).remember(shop.event({ externalId: `fails-at-${table}` }));
    while (await shop.first.get(EventRunner).runDue());
    await shop.query(`ALTER TABLE ${table} DROP CONSTRAINT refused`);

    for (const effect of ['mappings', 'entities', 'records', 'deliveries']) {
      expect(await shop.query(`SELECT * FROM ${effect}`)).toEqual([]);
    }
    expect(await shop.query('SELECT kind, key, status, reject_reason FROM work')).toEqual([
      { kind: 'event', key: eventId, status: 'dead', reject_reason: 'event.undecidable' },
    ]);
    expect(await shop.query('SELECT event_id, status FROM trace')).toEqual([{ event_id: eventId, status: 'DEAD' }]);
    await shop.query('TRUNCATE work, trace');
  });
});
