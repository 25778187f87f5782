import { describe, expect, test } from '@jest/globals';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import '../../../test/support/errors-of-every-realm.js';
import { withTemporaryFolder } from '../../../test/support/temporary-folder.js';
import { firstAdminKey } from './first-admin-key.js';

describe('the first admin key', () => {
  test('is made once and kept', () =>
    withTemporaryFolder(async (folder) => {
      const first = await firstAdminKey(join(folder, 'data'));
      expect(first).toEqual({
        key: expect.stringMatching(/^cwk_[\w-]{32}$/),
        file: join(folder, 'data', 'admin-key'),
        isNew: true,
      });
      expect(await firstAdminKey(join(folder, 'data'))).toEqual({ ...first, isNew: false });
      expect(await readFile(first.file, 'utf8')).toBe(`${first.key}\n`);
    }));

  test('can be read by its owner only', () =>
    withTemporaryFolder(async (folder) => {
      const { file } = await firstAdminKey(folder);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }));

  test('is another in every folder', () =>
    withTemporaryFolder(async (folder) => {
      const keys = await Promise.all(['a', 'b'].map((name) => firstAdminKey(join(folder, name))));
      expect(new Set(keys.map(({ key }) => key)).size).toBe(2);
    }));

  test('is one for all that start at once, and new for one of them', () =>
    withTemporaryFolder(async (folder) => {
      for (let round = 0; round < 50; round++) {
        const starts = Array.from({ length: 8 }, () => firstAdminKey(join(folder, String(round))));
        const keys = await Promise.all(starts);
        expect(new Set(keys.map(({ key }) => key)).size).toBe(1);
        expect(keys.filter(({ isNew }) => isNew)).toHaveLength(1);
      }
    }));

  test('is never empty, not even where a start was killed between making its file and writing it', () =>
    withTemporaryFolder(async (folder) => {
      await writeFile(join(folder, 'admin-key'), '');
      const key = await firstAdminKey(folder).then(
        (made) => made.key,
        () => 'refused',
      );
      expect(key).not.toBe('');
    }));

  test('is not made where the folder cannot be used', () =>
    withTemporaryFolder(async (folder) => {
      const { file } = await firstAdminKey(folder);
      await expect(firstAdminKey(file)).rejects.toThrow(/EEXIST|ENOTDIR/);
    }));
});
