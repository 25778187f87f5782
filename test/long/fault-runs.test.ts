import { describe, expect, test } from '@jest/globals';
import { longRun } from '../faults/long-run/long-run.js';
import { LONG_RUN } from '../faults/long-run/scope.js';

const SEEDS = [1, 2, 3];
const EVENTS = 20_000;

describe('the long run through every fault, three times', () => {
  test.each(SEEDS)(
    'seed %d: nothing is lost, nothing doubled, nothing wrong',
    async (seed) => {
      const print = (line: string): void => void process.stderr.write(`${line}\n`);
      const findings = await longRun({ seed, events: EVENTS, scope: LONG_RUN, print });
      expect(findings).toEqual({ lost: [], doubled: [], wrong: [] });
    },
    60 * 60_000,
  );
});
