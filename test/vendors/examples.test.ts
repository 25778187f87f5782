import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { check } from '../../src/cli/check.js';
import { exampleContract, exampleFile, exampleNames, madeUpAddresses } from './example-contract.js';

const SAMPLE = fileURLToPath(new URL('../../config/crosswalk.yaml', import.meta.url));

/** What `crosswalk check` prints where every variable of the file is set. */
async function checked(file: string): Promise<{ readonly exitCode: number; readonly lines: readonly string[] }> {
  const text = readFileSync(file, 'utf8');
  const names = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
  // No two alike: systems with one key could not be told apart.
  const secrets = Object.fromEntries(names.map((name) => [name, `whsec_${btoa(name.padEnd(32, '.'))}`]));
  const lines: string[] = [];
  const terminal = { log: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
  return { exitCode: await check(file, { ...secrets, ...madeUpAddresses(text) }, terminal), lines };
}

describe('a contract that is shipped', () => {
  test.each([SAMPLE, ...exampleNames().map(exampleFile)])('has no mistake: %s', async (file) => {
    const { exitCode, lines } = await checked(file);
    expect(lines).toEqual([expect.stringMatching(/: \d+ systems?, \d+ entity types?, \d+ event types?, \d+ webhook/)]);
    expect(exitCode).toBe(0);
  });

  test.each(exampleNames())('of %s says in its first lines what it is for', (name) => {
    expect(readFileSync(exampleFile(name), 'utf8')).toMatch(/^# [A-Z]/);
    expect(exampleContract(name).systems.size).toBeGreaterThan(0);
  });
});
