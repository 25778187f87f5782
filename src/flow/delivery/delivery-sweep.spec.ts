import { expect, test } from '@jest/globals';
import { spineContract } from '../../../test/support/spine-contract.js';
import { Log } from '../../platform/logging/logger.js';
import type { WorkService } from '../work/work.service.js';
import type { Deliver } from './deliver.js';
import { DeliverySweep } from './delivery-sweep.js';

function sweepThat(takeOver: () => Promise<boolean>): DeliverySweep {
  const work = { findOverdueDeliveries: () => Promise.resolve([]) } as unknown as WorkService;
  return new DeliverySweep(spineContract(), work, { takeOver } as unknown as Deliver, new Log('silent'));
}

test('a sweep ends when the database is away, instead of asking it again and again', async () => {
  let asked = 0;
  await sweepThat(() => {
    asked++;
    // It would never end otherwise.
    if (asked > 100) return Promise.resolve(false);
    return Promise.reject(Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }));
  }).sweep();
  const targets = [...spineContract().systems.values()].filter(({ deliver }) => deliver !== undefined).length;
  expect(asked).toBe(targets);
});

test('one delivery that fails for a reason of ours does not keep the others waiting', async () => {
  const ends = [() => Promise.reject(new Error('a bug')), () => Promise.resolve(true)];
  let taken = 0;
  await sweepThat(() => {
    taken++;
    return ends.shift()?.() ?? Promise.resolve(false);
  }).sweep();
  expect(taken).toBeGreaterThanOrEqual(3);
});
