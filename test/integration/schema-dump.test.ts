import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { describeSchema } from '../support/describe-schema.js';
import { wireShop } from '../support/wired-shop.js';

const DUMP = join(process.cwd(), 'migrations', 'schema.sql');
const REFRESH = 'UPDATE_SCHEMA=1 node scripts/jest.mjs --selectProjects integration --testPathPatterns schema-dump';
const HEADER = `-- What all migrations together make, for reading: nothing runs this file, and a test keeps it equal to a real database.
-- Refresh it with: ${REFRESH}

`;

describe('migrations/schema.sql', () => {
  const shop = wireShop();

  test('is what the migrations make', async () => {
    const schema = HEADER + (await describeSchema(shop.first.database));
    if (process.env['UPDATE_SCHEMA'] === '1') await writeFile(DUMP, schema);
    const dump = await readFile(DUMP, 'utf8').catch(() => '');
    if (dump === schema) return;
    console.error(`migrations/schema.sql is stale. Refresh it with: ${REFRESH}`);
    expect(dump).toBe(schema);
  });
});
