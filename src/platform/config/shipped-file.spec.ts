import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { shippedFile } from './shipped-file.js';

describe('a file that Crosswalk is shipped with', () => {
  test('is found from wherever the code runs', () => {
    expect(existsSync(shippedFile('docs/errors.md'))).toBe(true);
  });

  test('is missed in words where nothing marks the installation', () => {
    expect(() => shippedFile('docs/errors.md', '/main.js')).toThrow(/no folder above the program holds a package.json/);
  });
});
