import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { GUARDS } from '../guards/guards.mjs';

const execute = promisify(execFile);

test(
  'each guard of the program is missed by its test as soon as it is taken out',
  async () => {
    const { stdout } = await execute(process.execPath, ['scripts/guards.mjs']).catch((failure: unknown) => {
      // Ends with 1 where a guard was not missed; which one stands in its lines.
      if (failure instanceof Error && 'stdout' in failure) return { stdout: String(failure.stdout) };
      throw failure;
    });
    const unseen = stdout.split('\n').filter((line) => / \| (GREEN|BROKEN|RED ANYWAY)/.test(line));
    expect(unseen).toEqual([]);
    expect(stdout).toContain(`${GUARDS.length} guards, ${GUARDS.length} found`);
  },
  120 * 60_000,
);
