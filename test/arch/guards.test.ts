import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { GROUPS, GUARDS } from '../guards/guards.mjs';
import { guardsPage } from '../guards/guards-page.mjs';

const read = (file: string): string => readFileSync(join(process.cwd(), file), 'utf8');

/** Whether the guards are found is tried by `npm run guards`, which takes minutes; this keeps its list true. */
describe('the list of guards', () => {
  test('has one name for each', () => {
    expect(new Set(GUARDS.map(({ name }) => name)).size).toBe(GUARDS.length);
  });

  test.each(GUARDS)('$name stands once in the source, and something else can stand there', (guard) => {
    expect(read(guard.file).split(guard.text)).toHaveLength(2);
    expect(guard.replacement).not.toBe(guard.text);
  });

  test.each(GUARDS)('$name has a test of the title that it names', ({ test: { file, title, row } }) => {
    const source = read(file);
    const quoted = [`'${title}'`, `\`${title}\``, `"${title}"`];
    expect(quoted.filter((text) => source.includes(text))).toHaveLength(1);
    if (row !== undefined) expect(source).toContain(`'${row}'`);
  });

  test('is what docs/guards.md shows; `npm run guards -- --write` makes it', () => {
    expect(read('docs/guards.md')).toBe(guardsPage(GROUPS));
  });
});
