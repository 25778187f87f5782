import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testRunFolder } from './test-run.js';

/** A copy of the shipped example that lets its target, if it has one, stand on this machine. Returns the file. */
export function exampleOnThisMachine(name: string): string {
  const text = readFileSync(`config/examples/${name}.yaml`, 'utf8');
  const file = join(mkdtempSync(join(testRunFolder(), 'contract-')), `${name}.yaml`);
  writeFileSync(file, text.replace(/^( *)base_url: .*$/m, '$&\n$1allow_private: true'));
  return file;
}
