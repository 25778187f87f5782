import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CODES, SyncError, type Code } from '../../domain/sync-error.js';
import { databaseFault, isDatabaseError } from '../database/database-fault.js';
import { Log } from '../logging/logger.js';
import type { Outgoing } from './exchange.js';
import { PROBLEM_MEDIA_TYPE, problemOf, problemOfError, type Problem } from './problem.js';

/** Turns everything that is thrown on the way to an answer into a problem document; what is unexpected is logged. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  answer(error: unknown, request: Asked, reply: Answering): void {
    const problem = this.read(error, request);
    const asked = error instanceof SyncError ? error.retryAfterSeconds : undefined;
    const retryAfterSeconds = asked ?? (problem.status === 503 ? RETRY_AFTER_SECONDS : undefined);
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    reply.status(problem.status);
    reply.type(PROBLEM_MEDIA_TYPE);
    reply.send(problem);
  }

  private read(thrown: unknown, request: Asked): Problem {
    const error = isDatabaseAway(thrown) ? databaseAway(thrown) : thrown;
    if (error instanceof SyncError) {
      const { logLevel } = CODES[error.code];
      const facts = { method: request.method, route: request.routeOptions.url, code: error.code };
      if (logLevel === 'error') this.log.fault('request.failed', facts, error.cause ?? error);
      if (logLevel === 'warn') this.log.trouble('request.refused', facts, error.cause ?? error);
      return problemOfError(error);
    }
    const status = statusOf(error);
    const known = status === undefined ? undefined : CODE_BY_STATUS[status];
    if (known !== undefined) return problemOf(known, detailOf(error));
    if (status !== undefined && status < 500) return problemOf('request.invalid', detailOf(error));
    this.log.fault('request.failed', { method: request.method, route: request.routeOptions.url }, error);
    return problemOf('internal.error', 'Nothing was promised; the log tells more.');
  }
}

/** What log lines name of a request. */
interface Asked {
  readonly method: string;
  readonly routeOptions: { readonly url?: string | undefined };
}

interface Answering extends Outgoing {
  send(answer: object): unknown;
}

const RETRY_AFTER_SECONDS = 2;

/** Also where it is there and gave a lock, or an answer, too late: the same request may pass a moment later. */
function isDatabaseAway(error: unknown): boolean {
  if (!isDatabaseError(error)) return false;
  const fault = databaseFault(error);
  return fault !== 'item' && fault !== 'bug';
}

function databaseAway(cause: unknown): SyncError {
  return new SyncError('storage.unavailable', 'The database does not answer; try again.', { cause });
}

const CODE_BY_STATUS: Readonly<Record<number, Code>> = {
  // Raised by the files under /docs for paths that lead out of them; our own refusals carry their code.
  403: 'resource.not_found',
  404: 'resource.not_found',
  413: 'body.too_large',
  415: 'body.media_type',
};

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') return error.statusCode;
  return undefined;
}

function detailOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The request could not be read.';
}
