import { describe, expect, test } from '@jest/globals';
import { longRun } from './long-run/long-run.js';
import { LONG_RUN } from './long-run/scope.js';

/** `npm run test:faults -- --seed N --events N` sets them, to repeat a run. */
const SEED = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000);
const EVENTS = Number(process.env['FAULTS_EVENTS'] ?? 600);

describe(`the long run (seed ${SEED})`, () => {
  test(
    `${EVENTS} events, copied and shuffled, through every fault: nothing is lost, nothing doubled, nothing wrong`,
    async () => {
      const print = (line: string): void => void process.stderr.write(`${line}\n`);
      const findings = await longRun({ seed: SEED, events: EVENTS, scope: LONG_RUN, print });
      expect(findings).toEqual({ lost: [], doubled: [], wrong: [] });
    },
    60 * 60_000,
  );
});
