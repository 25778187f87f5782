import { performance } from 'node:perf_hooks';
import { Injectable, type LoggerService } from '@nestjs/common';
import { pino, type Logger as Pino } from 'pino';

/** Facts of a log line: keys, decisions, counts, durations; never bodies, headers or secrets. */
export type LogFacts = Readonly<Record<string, string | number | boolean | bigint | null | undefined>>;

const QUIET_MS = 60_000;

/** One wide JSON line per stage. `error` means that a person must act. */
@Injectable()
export class Log implements LoggerService {
  private readonly pino: Pino;
  private readonly lastTold = new Map<string, number>();

  constructor(level: string) {
    this.pino = pino({
      level,
      base: { service: 'crosswalk', pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
    });
  }

  stage(name: string, facts: LogFacts): void {
    if (this.pino.isLevelEnabled('info')) this.pino.info(readable(facts), name);
  }

  notice(message: string, facts: LogFacts = {}): void {
    this.pino.info(readable(facts), message);
  }

  trouble(message: string, facts: LogFacts, cause?: unknown): void {
    this.pino.warn({ ...readable(facts), ...reasonOf(cause) }, message);
  }

  /** As `trouble`, but of one kind of trouble only the first line in a minute. */
  troubleNowAndThen(message: string, facts: LogFacts, cause?: unknown): void {
    const kind = `${message} ${Object.values(facts).join(' ')}`;
    const nowMs = performance.now();
    if (nowMs - (this.lastTold.get(kind) ?? -Infinity) < QUIET_MS) return;
    this.lastTold.set(kind, nowMs);
    this.trouble(message, facts, cause);
  }

  fault(message: string, facts: LogFacts, cause?: unknown): void {
    this.pino.error({ ...readable(facts), ...reasonOf(cause), ...stackOf(cause) }, message);
  }

  /** What Nest has to say goes out by the same door. */
  log(message: unknown, ...context: unknown[]): void {
    this.pino.debug({ context: context.at(-1) }, String(message));
  }
  warn(message: unknown, ...context: unknown[]): void {
    this.pino.warn({ context: context.at(-1) }, String(message));
  }
  error(message: unknown, ...context: unknown[]): void {
    this.pino.error({ context: context.at(-1) }, String(message));
  }
  debug(message: unknown): void {
    this.pino.debug(String(message));
  }
  verbose(message: unknown): void {
    this.pino.trace(String(message));
  }
}

function readable(facts: LogFacts): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  );
}

function reasonOf(cause: unknown): Record<string, unknown> {
  if (cause === undefined) return {};
  // What is no error can hold anything, a connection with its secrets included: only its kind is told.
  return { reason: cause instanceof Error ? cause.message : `something of type ${typeof cause} was thrown` };
}

function stackOf(cause: unknown): Record<string, unknown> {
  return cause instanceof Error ? { stack: cause.stack } : {};
}
