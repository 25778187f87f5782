import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { CrosswalkClient, type Answer } from '../support/crosswalk-client.js';
import { eventually } from '../support/eventually.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { SHOP_FILE, SHOP_SECRETS } from '../support/shop-contract.js';
import { suiteResources } from '../support/suite-resources.js';
import { createTestDatabase } from '../support/test-database.js';
import { testRunFolder } from '../support/test-run.js';

const execute = promisify(execFile);
const [FORMER, NEWER] = ["'customer:{/customer_id}:v{/version}'", "'{/customer_id}:{/version}'"];
const CRM = { 'x-api-key': SHOP_SECRETS.CRM_API_KEY };

describe('a contract that contradicts what is stored', () => {
  const closeLater = suiteResources();
  const file = join(mkdtempSync(join(testRunFolder(), 'contract-')), 'crosswalk.yaml');
  const text = readFileSync(SHOP_FILE, 'utf8');
  let env: Readonly<Record<string, string>>;
  let former: ServiceProcess;

  const serve = async (): Promise<ServiceProcess> => {
    const service = await startService({ env });
    closeLater(async () => service.stop());
    return service;
  };
  const clientOf = (service: ServiceProcess): CrosswalkClient =>
    new CrosswalkClient(service.url, SHOP_SECRETS.ADMIN_KEY);
  const send = async (service: ServiceProcess, version: number): Promise<Answer> =>
    clientOf(service).sendWebhook(
      'crm',
      JSON.stringify({ event_type: 'customer.updated', customer_id: 'C-1', version }),
      CRM,
    );
  const contractOf = async (service: ServiceProcess, { body }: Answer) =>
    eventually(async () => {
      const event = await clientOf(service).event(body.event_id ?? '');
      expect(event.status).toBe('COMPLETED');
      return event;
    });

  /** The command as people call it; without the secrets, which it has no use for. */
  async function crosswalk(...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
    const { DATABASE_URL = '', CROSSWALK_CONFIG = '' } = env;
    const { PATH, HOME } = process.env;
    const options = { env: { PATH, HOME, DATABASE_URL, CROSSWALK_CONFIG } };
    const program = [join(process.cwd(), 'dist', 'src', 'cli.js'), ...args];
    try {
      const { stdout, stderr } = await execute(process.execPath, program, options);
      return { code: 0, output: stdout + stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, output: stdout + stderr };
    }
  }

  beforeAll(async () => {
    const storage = await createTestDatabase();
    closeLater(async () => storage.drop());
    const nowhere = 'http://127.0.0.1:9';
    const urls = { ERP_URL: nowhere, WMS_URL: nowhere, DATABASE_URL: storage.url, CROSSWALK_CONFIG: file };
    env = { ...SHOP_SECRETS, ...urls, LOG_LEVEL: 'warn' };
    writeFileSync(file, text);
  });

  test('the first contract is number 1; a process says which one read and decided each event', async () => {
    expect(await crosswalk('contract', 'migrate')).toEqual({
      code: 0,
      output: `${file}: no contract was active yet; the first start makes this one number 1\n`,
    });
    former = await serve();
    const event = await contractOf(former, await send(former, 1));
    expect(event).toMatchObject({ contract: { read: 1, decided: 1 } });
  });

  test('a setting may change at any time', async () => {
    writeFileSync(file, text.replace('300ms', '400ms'));
    const service = await serve();
    expect(await contractOf(service, await send(former, 2))).toMatchObject({ contract: { read: 1 } });
    expect(await contractOf(service, await send(service, 3))).toMatchObject({ contract: { read: 2 } });
    expect(await service.stop()).toBe(0);
  });

  test('another key template is refused at the start, with the place, both texts and the way on', async () => {
    writeFileSync(file, text.replace(FORMER, NEWER));
    const line = text.split('\n').findIndex((each) => each.includes(FORMER)) + 1;
    const change = `${file}:${line}:28 systems.crm.ingest.webhooks[0].idempotency_key: ${FORMER} became ${NEWER}`;
    const refusal = await startService({ env }).catch(String);
    expect(refusal).toContain('it ended with code 1');
    expect(refusal).toContain(
      [
        'The contract is refused, nothing was started: it contradicts what is stored under contract 2, which is active.',
        change.replaceAll("'", ''),
        '  A fact that comes again gets another key than before and is applied a second time.',
        'See what it would do, and accept it, with: npx crosswalk contract migrate',
      ].join('\n'),
    );
  });

  test('the process that runs already goes on', async () => {
    expect(await send(former, 2)).toMatchObject({ body: { verdict: 'duplicate' } });
  });

  test('`crosswalk contract migrate` counts what is stored and changes nothing', async () => {
    const { code, output } = await crosswalk('contract', 'migrate');
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining('3 keys are stored in crm:customer.updated.'),
    });
    expect(output).toContain('settings.sweep_every: 400ms became 300ms');
    expect(output).toContain('compared with contract 2, which is active; changes: 2, against what is stored: 1');
    expect(output).toContain('Nothing was changed. To accept this: npx crosswalk contract migrate --accept');
  });

  test('with `--accept` it is active, and is served from now on', async () => {
    const accepted = await crosswalk('contract', 'migrate', '--accept');
    expect(accepted).toEqual({ code: 0, output: expect.stringContaining('This is contract 3 now, and active.') });
    expect(accepted.output).toContain('compared with contract 2');
    const service = await serve();
    // What was accepted: the fact that is known under its former key is taken for a new one.
    const again = await send(service, 3);
    expect(again).toMatchObject({ body: { verdict: 'accepted' } });
    expect(await contractOf(service, again)).toMatchObject({ contract: { read: 3 } });
  });

  test('the way back is checked like any other', async () => {
    writeFileSync(file, text);
    await expect(startService({ env })).rejects.toThrow('contradicts what is stored under contract 3');
  });

  test('mistakes and a database that is not there are told apart by the exit code', async () => {
    writeFileSync(file, text.replace('strategy: ignore', 'strategy: ignor'));
    expect(await crosswalk('contract', 'migrate')).toMatchObject({ code: 1, output: expect.stringContaining('ignor') });
    writeFileSync(file, text);
    env = { ...env, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nowhere' };
    const unreachable = { code: 2, output: expect.stringContaining('The database cannot be used') };
    expect(await crosswalk('contract', 'migrate')).toEqual(unreachable);
    expect(await crosswalk('contract', 'migrate', '--yes')).toMatchObject({ code: 2 });
  });
});
