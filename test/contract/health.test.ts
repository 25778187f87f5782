import { describe, expect, test } from '@jest/globals';
import { runOnServer } from '../support/template-database.js';
import { eventually } from '../support/eventually.js';
import { serveShop, testThatAnswersAreDescribed } from './shop-api.js';

describe('GET /health', () => {
  const shop = serveShop();

  test('live and ready are 200 while everything is there', async () => {
    expect((await shop.ask('nobody', 'GET /health/live')).body).toEqual({ status: 'ok' });
    const ready = await shop.ask('nobody', 'GET /health/ready');
    expect([ready.status, ready.body]).toEqual([200, { status: 'ok', database: 'ok', queues: 'ok' }]);
  });

  test('ready is 503 while the database lets nobody in, live stays 200, and ready comes back', async () => {
    const name = new URL(shop.databaseUrl).pathname.slice(1);
    await runOnServer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await runOnServer('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await eventually(async () => {
      const ready = await shop.ask('nobody', 'GET /health/ready');
      expect([ready.status, ready.body]).toEqual([503, expect.objectContaining({ database: 'unavailable' })]);
    });
    expect((await shop.ask('nobody', 'GET /health/live')).status).toBe(200);
    await runOnServer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await eventually(async () => expect((await shop.ask('nobody', 'GET /health/ready')).status).toBe(200));
  });

  testThatAnswersAreDescribed(shop);
});
