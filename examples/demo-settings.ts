import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DemoStopped } from './demo-stopped.js';

export interface DemoSettings {
  readonly crosswalkUrl: string;
  readonly erpUrl: string;
  readonly wmsUrl: string;
  readonly crmSecret: string;
  readonly accessKey: string;
  readonly accessKeyFile: string;
}

/**
 * What the first start of the service with the sample contract left for us: `sample.env` and `admin-key` in the data
 * folder. Variables of the environment come before the file, as they do for the service.
 */
export async function readDemoSettings(env: NodeJS.ProcessEnv): Promise<DemoSettings> {
  const folder = env['CROSSWALK_DATA'] ?? '.crosswalk';
  const accessKeyFile = join(folder, 'admin-key');
  const sample = parseEnvFile(await readOrStop(join(folder, 'sample.env')));
  const setting = (name: string): string => {
    const value = env[name] ?? sample.get(name);
    if (value === undefined || value === '')
      throw new DemoStopped(`${name} is neither set nor in ${folder}/sample.env.`);
    return value;
  };
  return {
    crosswalkUrl: crosswalkUrlFrom(env),
    erpUrl: withoutTrailingSlash(setting('ERP_URL')),
    wmsUrl: withoutTrailingSlash(setting('WMS_URL')),
    crmSecret: setting('CRM_WEBHOOK_SECRET'),
    accessKey: (await readOrStop(accessKeyFile)).trim(),
    accessKeyFile,
  };
}

/** Stops the demo with advice where no service answers. */
export async function requireRunningService(env: NodeJS.ProcessEnv): Promise<void> {
  const url = crosswalkUrlFrom(env);
  let ready: Response;
  try {
    ready = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5000) });
  } catch {
    throw new DemoStopped(
      `No Crosswalk answers at ${url}. Start one with \`npm start\` in another terminal and run the demo again.\n` +
        'If yours listens elsewhere, say where: CROSSWALK_URL=http://host:port npm run demo',
    );
  }
  if (!ready.ok) throw new DemoStopped(`${url}/health/ready answered ${ready.status}: ${await ready.text()}`);
}

function crosswalkUrlFrom(env: NodeJS.ProcessEnv): string {
  return withoutTrailingSlash(env['CROSSWALK_URL'] ?? 'http://127.0.0.1:3000');
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

async function readOrStop(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new DemoStopped(
      `${file} cannot be read. The first \`npm start\` with the sample contract (config/crosswalk.yaml) writes it;\n` +
        'run the demo in the same folder, or set CROSSWALK_DATA to the data folder of that service.',
    );
  }
}

/** Lines `NAME=value`; empty lines and lines with `#` in front are skipped. */
function parseEnvFile(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^\s*([A-Z_][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) values.set(name, value.trim());
  }
  return values;
}
