import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../../src/domain/contract/contract.js';
import { readContract } from '../../src/domain/contract/read-contract.js';

/**
 * The contract in a text; each `${NAME}` of it has a value of its own that is good for every purpose but an address.
 *
 * @throws Error with every mistake, so that a slip in a test is not taken for a fault of the program
 */
export function contractFrom(text: string, variables: Readonly<Record<string, string>> = {}): Contract {
  const read = readContract(text, (name) => variables[name] ?? secretFor(name));
  if (read.kind === 'contract') return read.contract;
  throw new Error(read.mistakes.map(({ line, path, message }) => `${line} ${path}: ${message}`).join('\n'));
}

/** The sample contract as it is shipped. */
export function sampleContract(): Contract {
  const file = fileURLToPath(new URL('../../config/crosswalk.yaml', import.meta.url));
  const urls = { ERP_URL: 'http://127.0.0.1:4010', WMS_URL: 'http://127.0.0.1:4020' };
  return contractFrom(readFileSync(file, 'utf8'), urls);
}

/** The item that the test relies on; its absence is a fault of the test. */
export function named<T>(items: ReadonlyMap<string, T>, name: string): T {
  const item = items.get(name);
  if (item === undefined) throw new Error(`The contract of this test has no ${name}.`);
  return item;
}

function secretFor(name: string): string {
  return `whsec_${Buffer.from(name.padEnd(32, '.')).toString('base64')}`;
}
