import { describe, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withTemporaryFolder } from '../../../test/support/temporary-folder.js';
import { loadContract, type LoadedContract } from './load-contract.js';

const GOOD = `systems: { crm: { ingest: { auth: { scheme: api-key, secrets: ['\${CRM_KEY}'] } } } }
entities: { customer: { order_by: version } }
events: { customer.updated: { entity: customer, strategy: overwrite } }
`;

const load = (text: string, env: Readonly<Record<string, string>>): Promise<LoadedContract> =>
  withTemporaryFolder(async (folder) => {
    const file = join(folder, 'crosswalk.yaml');
    await writeFile(file, text);
    return loadContract(file, (name) => env[name]);
  });

describe('the contract that will be served', () => {
  test('is read from its file and the environment', async () => {
    const { contract, text } = await load(GOOD, { CRM_KEY: 'k' });
    expect(text).toBe(GOOD);
    expect(contract.systems.get('crm')?.ingest?.auth).toMatchObject([{ scheme: 'api-key', secrets: ['k'] }]);
  });

  test('is refused with every mistake and its place', async () => {
    const bad = GOOD.replace('version }', 'versoin }').replace('overwrite', 'overwrit');
    await expect(load(bad, { CRM_KEY: 'k' })).rejects.toThrow(/crosswalk\.yaml:2:\d+ [^]*crosswalk\.yaml:3:\d+ /);
  });

  test('is refused where a variable is not set: nobody could show that key', async () => {
    await expect(load(GOOD, {})).rejects.toThrow(/CRM_KEY/);
  });

  test('is missed by name', async () => {
    await expect(loadContract('/nowhere/crosswalk.yaml', () => undefined)).rejects.toThrow(
      /\/nowhere\/crosswalk\.yaml cannot be read .*CROSSWALK_CONFIG/,
    );
  });
});
