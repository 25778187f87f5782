import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { cruise } from 'dependency-cruiser';
import type { ICruiseOptions, IFlattenedRuleSet } from 'dependency-cruiser';
import { findStraySql } from './find-stray-sql.js';

const root = process.cwd();
const planted = join(root, 'test', 'arch', 'planted');
const rules = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
  readonly forbidden: NonNullable<IFlattenedRuleSet['forbidden']>;
  readonly options: ICruiseOptions;
};
const ruleNames = rules.forbidden.map((rule) => rule.name ?? '');
const sqlRule = 'sql-in-its-places';

describe('the arrows between the parts', () => {
  test('every rule has a planted violation', () => {
    expect(readdirSync(planted).sort()).toEqual([...ruleNames, sqlRule].sort());
  });

  test.each(ruleNames)('a planted violation of %s is reported by that rule alone', async (name) => {
    const violations = await findViolations(join(planted, name), ['src']);
    expect(new Set(violations.map((violation) => violation.split(':')[0]))).toEqual(new Set([name]));
  });

  test('the source keeps all of them', async () => {
    const folders = ['src', 'migrations', 'test', 'examples', 'bench'];
    expect(await findViolations(root, folders)).toEqual([]);
  });
});

describe('SQL stands in *.sql.ts and migrations only', () => {
  test('a planted statement is found', () => {
    expect(findStraySql(join(planted, sqlRule))).toEqual(['src/flow/inbox/inbox.service.ts:1']);
  });

  test('the source has none elsewhere', () => {
    expect(findStraySql(root)).toEqual([]);
  });
});

/** What `npm run arch` reports when it runs in this folder, as `rule: from → to`. */
async function findViolations(baseDir: string, folders: string[]): Promise<string[]> {
  const ruleSet = { forbidden: rules.forbidden };
  const { output } = await cruise(folders, { ...rules.options, baseDir, ruleSet, validate: true });
  if (typeof output === 'string') throw new Error(`dependency-cruiser gives a report in words: ${output}`);
  return output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
}
