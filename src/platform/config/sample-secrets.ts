import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { uuidV7 } from '../../domain/ids.js';
import { shippedFile } from './shipped-file.js';
import { writeOnce } from './write-once.js';

const SAMPLE_CONTRACT = shippedFile('config/crosswalk.yaml');
const FILE_NAME = 'sample.env';

export function isSampleContract(file: string): boolean {
  return resolve(file) === SAMPLE_CONTRACT;
}

/**
 * Values for the variables that the sample contract names, so that it can be served without preparation: secrets drawn
 * at random on the first start and kept in `CROSSWALK_DATA/sample.env`, which the demo reads too. Variables that are
 * set in the environment win. Any other contract gets nothing from here.
 */
export async function sampleSecrets(dataFolder: string): Promise<Readonly<Record<string, string>>> {
  const file = join(dataFolder, FILE_NAME);
  await writeOnce(file, render(drawSecrets()), uuidV7(Date.now()));
  return parse(await readFile(file, 'utf8'));
}

function drawSecrets(): Record<string, string> {
  const key = (): string => randomBytes(24).toString('base64url');
  return {
    CRM_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
    CRM_API_KEY: key(),
    ERP_API_KEY: key(),
    WMS_API_KEY: key(),
    ERP_URL: 'http://127.0.0.1:4010',
    WMS_URL: 'http://127.0.0.1:4020',
  };
}

function render(values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  return [
    '# Secrets of the sample contract, drawn at the first start. Real ones belong into the environment.',
    ...lines,
    '',
  ].join('\n');
}

function parse(text: string): Record<string, string> {
  const entries = text.split('\n').flatMap((line): [string, string][] => {
    const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}
