/**
 * Plays a story against a running Crosswalk, with real, signed requests and two target systems that keep records of
 * their own: `npm run demo`, with `-- --keep` to leave the targets running.
 */
import { once } from 'node:events';
import { DemoClient } from './demo-client.js';
import { DemoReport } from './demo-report.js';
import { readDemoSettings, requireRunningService, type DemoSettings } from './demo-settings.js';
import { DemoStopped } from './demo-stopped.js';
import { playStory } from './demo-story.js';
import { endTargets, startTarget, type DemoTarget } from './demo-targets.js';

const report = new DemoReport((text) => process.stdout.write(text), process.stdout.isTTY);
const targets: DemoTarget[] = [];

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void endTargets(targets).finally(() => process.exit(130)));
}

// A reader that has seen enough (`| head`) must not end the demo before its targets are ended.
process.stdout.on('error', () => undefined);

try {
  await requireRunningService(process.env);
  await play(await readDemoSettings(process.env));
} catch (error) {
  const message = error instanceof DemoStopped ? error.message : `The demo broke off: ${describe(error)}`;
  process.stderr.write(`\n${message}\n`);
  process.exitCode = 1;
} finally {
  await endTargets(targets);
}

async function play(settings: DemoSettings): Promise<void> {
  const run = Date.now().toString(36).toUpperCase();
  const correlationId = `demo-${run}`;
  const erp = await start('erp', settings.erpUrl);
  const wms = await start('wms', settings.wmsUrl);
  report.title(`The Crosswalk demo, run ${run}`);
  report.line(`Crosswalk at ${settings.crosswalkUrl}`);
  for (const { system, client, process: child } of targets) {
    report.line(
      `${system.toUpperCase()} at ${client.url}, ${child === undefined ? 'already running' : 'started for the demo'}`,
    );
  }

  const crosswalk = new DemoClient({ ...settings, url: settings.crosswalkUrl });
  const messages = await playStory({ run, correlationId, crosswalk, erp, wms, report });

  const late = messages.find(({ about }) => about === 'version 2');
  lookCloser(settings, [
    ['the whole process, in order', `/v1/traces/${correlationId}`],
    ['the customer and all its ids', `/v1/mappings/crm/customer/C-${run}`],
    ['what became of the late version 2', `/v1/events/${late?.receipt.event_id ?? ''}`],
  ]);
  if (process.argv.includes('--keep')) await keep();
}

async function start(system: 'erp' | 'wms', url: string): Promise<DemoTarget> {
  const target = await startTarget(system, url);
  targets.push(target);
  return target;
}

function lookCloser(settings: DemoSettings, questions: readonly (readonly [string, string])[]): void {
  report.heading('Look closer');
  for (const [question, path] of questions) {
    report.line(`${question}:`);
    report.line(`curl -s -H "Authorization: Bearer $(cat ${settings.accessKeyFile})" ${settings.crosswalkUrl}${path}`);
  }
}

/** Waits for Ctrl-C; the signal's handler ends the targets. */
async function keep(): Promise<void> {
  report.line();
  report.line('ERP and WMS keep running. Ctrl-C ends them.');
  const forever = setInterval(() => undefined, 60_000);
  await once(process, 'SIGINT');
  clearInterval(forever);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
