import { describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from './check.js';

const CONTRACT = `systems:
  crm:
    ingest:
      auth: { scheme: api-key, secrets: ['\${CRM_KEY}'] }
entities: { customer: { order_by: version } }
events: { customer.updated: { entity: customer, strategy: overwrite } }
`;

async function checked(text: string, environment: Readonly<Record<string, string>>) {
  const directory = await mkdtemp(join(tmpdir(), 'crosswalk-check-'));
  const file = join(directory, 'crosswalk.yaml');
  await writeFile(file, text);
  try {
    const lines: string[] = [];
    const terminal = { log: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
    const exitCode = await check(file, environment, terminal);
    return { exitCode, lines: lines.map((line) => line.replace(file, 'FILE')) };
  } finally {
    await rm(directory, { recursive: true });
  }
}

describe('crosswalk check', () => {
  test('says in one line what a good contract holds', async () => {
    expect(await checked(CONTRACT, { CRM_KEY: 'k' })).toEqual({
      exitCode: 0,
      lines: ['FILE: 1 system, 1 entity type, 1 event type, 0 webhook rules'],
    });
  });

  test('only warns of variables that are not set here', async () => {
    expect(await checked(CONTRACT, {})).toEqual({
      exitCode: 0,
      lines: [
        'FILE:4:42 systems.crm.ingest.auth.secrets[0]: warning: the environment variable CRM_KEY is not set',
        'FILE: 1 system, 1 entity type, 1 event type, 0 webhook rules',
      ],
    });
  });

  test('only warns of what may be meant as it stands', async () => {
    const text = CONTRACT.replace('order_by: version', 'order_by: version, states: { initial: NEW, NEW: [OLD] }');
    expect(await checked(text, { CRM_KEY: 'k' })).toEqual({
      exitCode: 0,
      lines: [
        'FILE:5:74 entities.customer.states.NEW[0]: warning: nothing follows `OLD`; `OLD: []` says that it is final',
        'FILE: 1 system, 1 entity type, 1 event type, 0 webhook rules',
      ],
    });
  });

  test('prints every mistake and fails', async () => {
    const text = CONTRACT.replace('order_by: version', 'order: version').replace('overwrite', 'overwrites');
    expect(await checked(text, { CRM_KEY: 'k' })).toEqual({
      exitCode: 1,
      lines: [
        'FILE:5:13 entities.customer: `order_by` is missing',
        expect.stringMatching(/^FILE:5:25 entities\.customer\.order: unknown key `order`/),
        expect.stringMatching(/^FILE:6:59 events\["customer\.updated"\]\.strategy: .*did you mean `overwrite`/),
      ],
    });
  });

  test('says that a file cannot be read', async () => {
    const lines: string[] = [];
    const terminal = { log: () => undefined, error: (line: string) => lines.push(line) };
    expect(await check('/nowhere/crosswalk.yaml', {}, terminal)).toBe(2);
    expect(lines).toEqual([expect.stringMatching(/^\/nowhere\/crosswalk\.yaml cannot be read: .*no such file/)]);
  });
});
