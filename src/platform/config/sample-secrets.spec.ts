import { describe, expect, test } from '@jest/globals';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import '../../../test/support/errors-of-every-realm.js';
import { withTemporaryFolder } from '../../../test/support/temporary-folder.js';
import { readContract } from '../../domain/contract/read-contract.js';
import { sampleSecrets } from './sample-secrets.js';

const SAMPLE = fileURLToPath(new URL('../../../config/crosswalk.yaml', import.meta.url));

describe('the secrets of the sample contract', () => {
  test('are all that it needs', () =>
    withTemporaryFolder(async (folder) => {
      const secrets = await sampleSecrets(folder);
      const read = readContract(await readFile(SAMPLE, 'utf8'), (name) => secrets[name]);
      expect(read.kind === 'refused' ? read.mistakes : []).toEqual([]);
    }));

  test('are drawn once and kept where only their owner can read them', () =>
    withTemporaryFolder(async (folder) => {
      const first = await sampleSecrets(join(folder, 'data'));
      expect(await sampleSecrets(join(folder, 'data'))).toEqual(first);
      expect((await stat(join(folder, 'data', 'sample.env'))).mode & 0o777).toBe(0o600);
    }));

  test('are others in every installation, and differ from each other', () =>
    withTemporaryFolder(async (folder) => {
      const drawn = await Promise.all(['a', 'b'].map((name) => sampleSecrets(join(folder, name))));
      const secrets = drawn.flatMap((values) =>
        Object.entries(values).flatMap(([name, value]) => (name.endsWith('_URL') ? [] : [value])),
      );
      expect(secrets.length).toBeGreaterThanOrEqual(8);
      expect(new Set(secrets).size).toBe(secrets.length);
    }));

  test('are the same for all that start at once', () =>
    withTemporaryFolder(async (folder) => {
      for (let round = 0; round < 50; round++) {
        const starts = Array.from({ length: 8 }, () => sampleSecrets(join(folder, String(round))));
        const drawn = await Promise.all(starts);
        expect(new Set(drawn.map((values) => JSON.stringify(values))).size).toBe(1);
      }
    }));
});
