import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../../src/domain/contract/contract.js';
import { contractFrom } from '../support/contract-from.js';

const FOLDER = fileURLToPath(new URL('../../config/examples/', import.meta.url));

/** The contracts that are shipped for copying, by their files' names. */
export function exampleNames(): readonly string[] {
  return readdirSync(FOLDER).map((file) => file.replace(/\.yaml$/, ''));
}

export function exampleFile(name: string): string {
  return `${FOLDER}${name}.yaml`;
}

/** @throws Error with every mistake */
export function exampleContract(name: string): Contract {
  const text = readFileSync(exampleFile(name), 'utf8');
  return contractFrom(text, madeUpAddresses(text));
}

/** A value for each variable of a contract that names an address. */
export function madeUpAddresses(text: string): Record<string, string> {
  const names = [...text.matchAll(/\$\{(\w+_URL)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, 'https://target.example.com']));
}
