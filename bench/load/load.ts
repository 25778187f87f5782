/**
 * The load generator, a process of its own: a closed loop over keep-alive connections, each request one event: a
 * fresh one, or a copy of one that was answered before.
 * It counts 2xx only and ends with exit code 1 at the first other answer.
 */
import { KeepAliveConnection, type Answer } from './keep-alive-connection.js';
import type { LoadPlan, LoadResult } from './load-plan.js';
import { NextEvents } from './next-events.js';
import { percentile } from './percentile.js';
import { sampleEvent } from './sample-event.js';

const plan = JSON.parse(process.argv[2] ?? '{}') as LoadPlan;
const url = new URL(plan.url);
const requestHead = [
  `POST ${url.pathname} HTTP/1.1`,
  `Host: ${url.host}`,
  'Content-Type: application/json',
  ...Object.entries(plan.headers).map(([name, value]) => `${name}: ${value}`),
  'Content-Length: ',
].join('\r\n');

const events = new NextEvents(plan.copiesOfTen, plan.connections);
let phase: 'warm-up' | 'measuring' | 'over' = 'warm-up';
const latenciesMs: number[] = [];

const connections = await Promise.all(
  Array.from({ length: plan.connections }, () => KeepAliveConnection.open(url.hostname, Number(url.port), fail)),
);
for (const connection of connections) sendNext(connection);
await seconds(plan.warmUpSeconds);

phase = 'measuring';
const cpuBefore = process.cpuUsage();
const startedAt = performance.now();
await seconds(plan.measureSeconds);
phase = 'over';
const elapsedSeconds = (performance.now() - startedAt) / 1000;
const cpu = process.cpuUsage(cpuBefore);

for (const connection of connections) connection.close();
process.stdout.write(`${JSON.stringify(measured())}\n`);

function sendNext(connection: KeepAliveConnection): void {
  const body = sampleEvent(events.next());
  const sentAt = performance.now();
  connection.send(`${requestHead}${String(body.length)}\r\n\r\n${body}`, (answer) => {
    if (answer.status < 200 || answer.status > 299) {
      fail(refused(answer));
      return;
    }
    if (phase === 'measuring') latenciesMs.push(performance.now() - sentAt);
    if (phase !== 'over') sendNext(connection);
  });
}

function measured(): LoadResult {
  const ascending = Float64Array.from(latenciesMs).sort();
  return {
    events: ascending.length,
    eventsPerSecond: ascending.length / elapsedSeconds,
    p50Ms: percentile(ascending, 0.5),
    p99Ms: percentile(ascending, 0.99),
    generatorCores: (cpu.user + cpu.system) / 1e6 / elapsedSeconds,
  };
}

function refused(answer: Answer): Error {
  return new Error(`Answer ${String(answer.status)} instead of 2xx: ${answer.body.slice(0, 500)}`);
}

function fail(error: Error): never {
  process.stderr.write(`The load generator failed: ${error.message}\n`);
  process.exit(1);
}

function seconds(count: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, count * 1000));
}
