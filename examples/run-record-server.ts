import { parseArgs } from 'node:util';
import { DIALECT_NAMES, type DialectName } from './dialects/dialects.js';
import { startRecordServer } from './record-server.js';
import type { SystemName } from './record-store.js';

/** 2025-01-01, from which the processes of the sample systems count. */
const NUMBERS_BEGIN_AT = Date.UTC(2025, 0, 1);

/**
 * Runs a sample system as a process of its own: `--port` (0 is a free one) and `--dialect`, one JSON line on stdout when it is ready,
 * an orderly end on SIGTERM and SIGINT.
 */
export async function runRecordServer(system: SystemName, defaultPort: number): Promise<void> {
  try {
    const options = { port: { type: 'string' }, dialect: { type: 'string' } } as const;
    const { values } = parseArgs({ args: process.argv.slice(2), options });
    const port = portFrom(values.port, defaultPort);
    const dialect = dialectFrom(values.dialect);
    const server = await startRecordServer({ system, dialect, port, firstNumber: firstNumberNow() });
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void server.close());
    process.stdout.write(`${JSON.stringify({ listening: server.url })}\n`);
  } catch (error) {
    process.stderr.write(`The ${system} cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

/**
 * Records are lost with the process, but the hub remembers their ids. Hundredths of seconds keep a new process from
 * giving an old id to another record, as long as fewer than 100 records a second are created.
 */
function firstNumberNow(): number {
  return Math.floor((Date.now() - NUMBERS_BEGIN_AT) / 10);
}

function portFrom(given: string | undefined, defaultPort: number): number {
  if (given === undefined) return defaultPort;
  if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535) {
    throw new Error(`--port must be a number from 0 to 65535, not ${given}`);
  }
  return Number(given);
}

function dialectFrom(given = 'rest'): DialectName {
  const dialect = DIALECT_NAMES.find((name) => name === given);
  if (dialect === undefined) throw new Error(`--dialect must be one of ${DIALECT_NAMES.join(', ')}, not ${given}`);
  return dialect;
}
