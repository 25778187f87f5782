import { execFileSync } from 'node:child_process';
import { CODES } from '../../src/domain/sync-error.js';
import { generateRequest } from './generated-request.js';
import { HttpConnection, type RawAnswer } from './http-connection.js';
import { randomFrom } from './random-from.js';
import type { ServiceProcess } from './service-process.js';

export interface Trial {
  readonly requests: number;
  readonly seed: number;
}

export interface TrialReport {
  /** Answers by status, and by code where they are problems. */
  readonly answers: Readonly<Record<string, number>>;
  /** What no client should have seen; empty when all is well. */
  readonly strange: readonly string[];
  /** Every event that a client was told of. */
  readonly eventIds: ReadonlySet<string>;
  /** Requests that had to be sent again, because their connection ended just then. */
  readonly resent: number;
  /** Memory of the process in MiB, at a hundred moments spread evenly over the trial. */
  readonly memoryMiB: readonly number[];
}

const CONNECTIONS = 16;
const STRANGE_MAX = 20;

/**
 * Sends generated requests to the door over keep-alive connections and looks at every answer. The same seed gives the
 * same requests on each connection, though not the same order between connections.
 */
export async function tryTheDoor(service: ServiceProcess, { requests, seed }: Trial): Promise<TrialReport> {
  const answers: Record<string, number> = {};
  const strange: string[] = [];
  const eventIds = new Set<string>();
  const memoryMiB: number[] = [];
  let sent = 0;
  const sendOn = async (connection: HttpConnection, random: (limit: number) => number): Promise<void> => {
    while (sent < requests) {
      if (sent++ % Math.ceil(requests / 100) === 0) memoryMiB.push(residentMiB(service.pid));
      const { bytes, spoilsConnection } = generateRequest(random);
      const answer = await connection.send(bytes).catch((error: unknown) => String(error));
      const fault = typeof answer === 'string' ? answer : faultOf(answer);
      if (fault !== undefined && strange.length < STRANGE_MAX) strange.push(`${fault}\n  to ${printed(bytes)}`);
      if (typeof answer === 'string') continue;
      for (const id of eventIdsOf(answer)) eventIds.add(id);
      const kind = `${answer.status} ${codeOf(answer)}`.trim();
      answers[kind] = (answers[kind] ?? 0) + 1;
      if (spoilsConnection) connection.close();
    }
  };
  const port = Number(new URL(service.url).port);
  const connections = Array.from({ length: CONNECTIONS }, () => new HttpConnection(port));
  await Promise.all(connections.map(async (connection, at) => sendOn(connection, randomFrom(seed * CONNECTIONS + at))));
  for (const connection of connections) connection.close();
  const resent = connections.reduce((sum, connection) => sum + connection.resent, 0);
  return { answers, strange, eventIds, resent, memoryMiB };
}

/** The lines of a service's log that tell of something unforeseen, and those that are no record. */
export function alarmingLines(output: string): string[] {
  return output.split('\n').filter((line) => {
    if (line === '') return false;
    if (!line.startsWith('{')) return /unhandled|error|warning|at .*\.js/i.test(line);
    try {
      return (JSON.parse(line) as { level: number }).level >= LEVEL_ERROR;
    } catch {
      return true;
    }
  });
}

const LEVEL_ERROR = 50;

/** How much more memory the process held in the last fifth of a trial than in the second one, when it was warm. */
export function memoryGrowth(memoryMiB: readonly number[]): number {
  const fifth = Math.floor(memoryMiB.length / 5);
  return meanOf(memoryMiB.slice(-fifth)) / meanOf(memoryMiB.slice(fifth, 2 * fifth));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function residentMiB(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

function faultOf({ status, headers, body }: RawAnswer): string | undefined {
  if (status >= 500 && status !== 503) return `a ${status}: ${body.slice(0, 300)}`;
  const parsed = parse(body);
  if (status < 300) {
    return eventIdsOf({ status, headers, body }).length > 0 || isListOfRefusals(parsed)
      ? undefined
      : `a ${status} that names no event: ${body.slice(0, 300)}`;
  }
  const code = parsed?.['code'];
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json') === true;
  if (!isProblem || typeof code !== 'string' || !(code in CODES)) {
    return `a ${status} that is no problem document: ${headers.get('content-type')} ${body.slice(0, 300)}`;
  }
  const isOfItsCode = parsed?.['status'] === status && CODES[code as keyof typeof CODES].status === status;
  return isOfItsCode ? undefined : `a ${status} with the code of another status: ${body.slice(0, 300)}`;
}

type Parsed = Readonly<Record<string, unknown>> | undefined;

function isListOfRefusals(parsed: Parsed): boolean {
  const results = resultsOf(parsed);
  return results.length > 0 && results.every(({ verdict }) => verdict === 'refused');
}

function resultsOf(parsed: Parsed): readonly Readonly<Record<string, unknown>>[] {
  const results = parsed?.['results'];
  return Array.isArray(results) ? (results as Readonly<Record<string, unknown>>[]) : [];
}

/** Problem documents of a conflict name events as well. */
function eventIdsOf({ body }: RawAnswer): string[] {
  const parsed = parse(body);
  return [parsed ?? {}, ...resultsOf(parsed)]
    .flatMap((result) => [result['event_id'], result['conflict_event_id']])
    .filter((id) => typeof id === 'string');
}

function codeOf({ body, status }: RawAnswer): string {
  const code = parse(body)?.[status < 300 ? 'verdict' : 'code'];
  return typeof code === 'string' ? code : '';
}

function parse(body: string): Parsed {
  try {
    return JSON.parse(body) as Parsed;
  } catch {
    return undefined;
  }
}

function printed(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1').slice(0, 1_500));
}
