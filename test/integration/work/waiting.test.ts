import { expect, test } from '@jest/globals';
import { WorkService } from '../../../src/flow/work/work.service.js';
import { wireShop } from '../../support/wired-shop.js';

const shop = wireShop();

test('waiting spends no attempt, and a failure spends one', async () => {
  await shop.query(`INSERT INTO work (kind, key, topic) VALUES ('delivery', 'erp:one', 'erp')`);
  const work = shop.first.get(WorkService);
  const counts: unknown[] = [];
  for (const kind of ['wait', 'retry', 'wait', 'wait'] as const) {
    const claim = await work.claimByKey('delivery', 'erp:one', 60_000);
    if (claim === undefined) throw new Error('There was no claim to be had.');
    const failure = { code: 'target.failed', detail: 'It failed.', next: { kind, delayMs: 0 } };
    await work.fail(shop.first.database, 'delivery', claim, { ...failure, class: 'retryable' });
    counts.push(...(await shop.query('SELECT retry_count FROM work')));
  }
  expect(counts).toEqual([0, 1, 1, 1].map((retry_count) => ({ retry_count })));
});
