import { readFile, writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { describeApi } from './open-api.js';
import { loadContract } from './platform/config/load-contract.js';
import { Log } from './platform/logging/logger.js';

/**
 * `npm run openapi`: writes openapi.json from the routes; with `-- --check` it only says whether the file is fresh.
 * No service is started: Nest's preview mode reads the modules without making anything in them.
 */
const FILE = 'openapi.json';

const settings = {
  contract: (await loadContract('config/crosswalk.yaml', previewValue)).contract,
  contractNumber: 1,
  log: new Log('silent'),
  role: 'all' as const,
  databaseUrl: 'postgres://nowhere',
  redisUrl: undefined,
  queuePrefix: 'preview',
  requestTimeoutMs: 30_000,
  accessKeys: [],
};
const app = await NestFactory.create(AppModule.for(settings), new FastifyAdapter(), { preview: true, logger: false });
const text = `${JSON.stringify(describeApi(app), null, 2)}\n`;
await app.close();

if (process.argv.includes('--check')) {
  const held = await readFile(FILE, 'utf8').catch(() => '');
  if (held !== text) {
    console.error(`${FILE} is stale; refresh it with: npm run openapi`);
    process.exitCode = 1;
  }
} else {
  await writeFile(FILE, text);
  console.log(`${FILE} written.`);
}

/** The routes do not depend on what the sample contract's variables hold; they only have to be plausible. */
function previewValue(name: string): string {
  if (name.endsWith('_URL')) return 'http://127.0.0.1:1';
  return name.includes('WEBHOOK') ? `whsec_${Buffer.alloc(32, name).toString('base64')}` : `preview-${name}`;
}
