import { execFile } from 'node:child_process';
import { chown, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Contract } from '../../../src/domain/contract/contract.js';
import {
  openPostgresCluster,
  type PostgresCluster,
} from '../../../src/platform/database/embedded-postgres/postgres-cluster.js';
import { runPostgresProgram } from '../../../src/platform/database/embedded-postgres/run-postgres-program.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../src/platform/database/embedded-postgres.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { eventually } from '../../support/eventually.js';
import { isRecognised, openGuardedInbox, type GuardedInbox } from '../../support/guarded-inbox.js';
import { sharedRedisUrl } from '../../support/shared-redis.js';
import { readShopContract } from '../../support/shop-contract.js';
import { suiteResources } from '../../support/suite-resources.js';
import { runOnServer } from '../../support/template-database.js';
import { createTestDatabase } from '../../support/test-database.js';
import { rememberProcess, testRunFolder } from '../../support/test-run.js';

const execute = promisify(execFile);

/** Each test leaves a database that is older than what Redis knows. The same process lives through it. */
describe('an event that only Redis still knows is accepted again', () => {
  const closeLater = suiteResources();
  let contract: Contract;

  beforeAll(async () => {
    contract = await readShopContract();
  });

  async function openInbox(databaseUrl: string): Promise<GuardedInbox> {
    const redisUrl = sharedRedisUrl();
    const inbox = await openGuardedInbox({ contract, databaseUrl, redisUrl, answerWithinMs: 20_000 });
    closeLater(async () => inbox.close());
    await inbox.makeCopiesUsual();
    return inbox;
  }

  const expectRecognition = async (inbox: GuardedInbox, externalId: string): Promise<void> =>
    eventually(async () => expect(isRecognised(await inbox.send({ externalId }))).toBe(true));

  /** While the server is away the door answers 503, and the sender comes again. By then the guard is at work again. */
  async function sendUntilAnswered(inbox: GuardedInbox, externalId: string): Promise<string> {
    await eventually(async () => {
      await inbox.database.query('SELECT 1');
      expect(inbox.guard.isOn).toBe(true);
    });
    return eventually(async () => (await inbox.send({ externalId })).kind);
  }

  test('when an older database took the place of the newer one under its name', async () => {
    const [newer, older] = [await createTestDatabase(), await createTestDatabase()];
    closeLater(async () => newer.drop());
    const name = new URL(newer.url).pathname.slice(1);
    const inbox = await openInbox(newer.url);
    await expectRecognition(inbox, 'swapped');

    await runOnServer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await runOnServer('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await eventually(async () => runOnServer(`ALTER DATABASE ${name} RENAME TO ${name}_newer`));
    closeLater(async () => runOnServer(`DROP DATABASE ${name}_newer WITH (FORCE)`));
    await runOnServer(`ALTER DATABASE ${new URL(older.url).pathname.slice(1)} RENAME TO ${name}`);
    expect(await sendUntilAnswered(inbox, 'swapped')).toBe('accepted');
    expect(await sendUntilAnswered(inbox, 'swapped')).toBe('duplicate');
  });

  describe('when tables were put back while all connections lived, as soon as the next look notices', () => {
    test.each([
      ['the row was written anew', 'DELETE FROM guard_epoch', 'INSERT INTO guard_epoch SELECT * FROM kept_epoch'],
      ['the keys were emptied and filled again', 'TRUNCATE idempotency_keys', 'SELECT 1'],
      ['somebody asked for it', 'UPDATE guard_epoch SET mark = gen_random_uuid()', 'SELECT 1'],
    ])('%s', async (_, change, then) => {
      const storage = await createTestDatabase();
      closeLater(async () => storage.drop());
      const inbox = await openInbox(storage.url);
      await expectRecognition(inbox, 'put-back');
      await inbox.database.transaction(async (tx) => {
        await tx.query('CREATE TEMP TABLE kept_epoch ON COMMIT DROP AS SELECT * FROM guard_epoch');
        await tx.query(change);
        await tx.query(then);
        await tx.query('DELETE FROM idempotency_keys');
      });
      await eventually(async () =>
        expect(await inbox.send({ externalId: 'put-back' })).toMatchObject({ kind: 'accepted' }),
      );
    });
  });

  describe('when the files of the server were put back', () => {
    let server: EmbeddedPostgres;
    let cluster: PostgresCluster;
    let inbox: GuardedInbox;
    let backup: string;
    const dataFolder = (): string => join(testRunFolder(), 'put-back');

    const start = async (): Promise<void> => {
      server = await startEmbeddedPostgres({ dataFolder: dataFolder(), report: () => undefined });
      const lockFile = await readFile(join(dataFolder(), 'cluster', 'data', 'postmaster.pid'), 'utf8');
      rememberProcess(Number.parseInt(lockFile, 10));
    };

    beforeAll(async () => {
      await start();
      cluster = await openPostgresCluster(dataFolder(), () => undefined);
      closeLater(async () => rm(cluster.folder, { recursive: true }));
      closeLater(async () => server.stop());
      await migrate(server.url);
      await server.stop();
      backup = join(cluster.folder, 'backup');
      await execute('cp', ['-a', join(cluster.folder, 'data'), backup]);
      await start();
      inbox = await openInbox(server.url);
    });

    async function putBack(): Promise<void> {
      await runPostgresProgram(cluster, 'pg_ctl', [
        'stop',
        '-D',
        join(cluster.folder, 'data'),
        '-m',
        'immediate',
        '-w',
      ]);
      await rm(join(cluster.folder, 'data'), { recursive: true });
      await execute('cp', ['-a', backup, join(cluster.folder, 'data')]);
    }

    test('as they had been copied', async () => {
      await expectRecognition(inbox, 'copied');
      await putBack();
      await start();
      expect(await sendUntilAnswered(inbox, 'copied')).toBe('accepted');
    });

    test('as a standby that is promoted; until then nothing is recognised', async () => {
      await expectRecognition(inbox, 'promoted');
      await putBack();
      const signal = join(cluster.folder, 'data', 'standby.signal');
      await writeFile(signal, '');
      if (cluster.account !== undefined) await chown(signal, cluster.account.uid, cluster.account.gid);
      await start();
      await expect(inbox.send({ externalId: 'promoted' })).rejects.toThrow();
      expect(inbox.guard.isOn).toBe(false);
      await runPostgresProgram(cluster, 'pg_ctl', ['promote', '-D', join(cluster.folder, 'data'), '-w']);
      expect(await sendUntilAnswered(inbox, 'promoted')).toBe('accepted');
      await expectRecognition(inbox, 'promoted');
    });
  });
});
