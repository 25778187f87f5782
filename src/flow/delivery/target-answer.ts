import {
  answerClass,
  CALL_FAILURES,
  codeClass,
  mayHaveBeenApplied,
  retryAfterMs,
  type CallFailure,
} from '../../domain/failure-class.js';
import { readJson } from '../../domain/json/read-json.js';
import type { Json } from '../../domain/json/json.js';
import type { Code } from '../../domain/sync-error.js';
import type { AttemptFailed } from './attempt.js';
import type { CallEnd } from './target-client.js';

export type ReadAnswer = { readonly kind: 'ok'; readonly body: Json | undefined } | AttemptFailed;

/** What the end of a call means: success with its body, or a failure with its class. */
export function readAnswer(end: CallEnd, nowMs: number): ReadAnswer {
  switch (end.kind) {
    case 'no_answer':
      return withoutAnswer(end.failure, end.reason);
    case 'answer':
      return readStatus(end, nowMs);
  }
}

function readStatus(end: Extract<CallEnd, { kind: 'answer' }>, nowMs: number): ReadAnswer {
  const { status, body, retryAfter } = end;
  const waitMs = retryAfterMs(retryAfter, nowMs);
  const detail = `The target answered ${String(status)}${body === '' ? '' : `: ${excerpt(body)}`}`;
  switch (answerClass(status, waitMs !== undefined)) {
    case 'ok':
      return readOk(body);
    case 'throttled':
      return { ...failed('target.throttled', detail, false), retryAfterMs: waitMs };
    case 'retryable':
      return { ...failed('target.failed', detail, mayHaveBeenApplied(status)), retryAfterMs: waitMs };
    case 'auth':
      return failed('target.unauthorized', detail, false);
    case 'final':
      return { ...failed('target.refused', detail, false), status };
  }
}

/** An empty body is an answer too; one that is no JSON says nothing about what happened. */
function readOk(body: string): ReadAnswer {
  if (body.trim() === '') return { kind: 'ok', body: undefined };
  try {
    return { kind: 'ok', body: readJson(body).value };
  } catch (error) {
    const detail = `The target answered with an unreadable body (${error instanceof Error ? error.message : ''})`;
    return withoutAnswer('unreadable', detail);
  }
}

function withoutAnswer(failure: CallFailure, detail: string): AttemptFailed {
  const { code, mayHaveArrived } = CALL_FAILURES[failure];
  return failed(code, detail, mayHaveArrived);
}

function failed(code: Code, detail: string, mayHaveArrived: boolean): AttemptFailed {
  return { kind: 'failed', code, detail, class: codeClass(code), mayHaveArrived };
}

const EXCERPT_MAX = 300;

/** Enough of a refusal to act on it; control characters would break the line that shows it. */
function excerpt(body: string): string {
  const line = body.replace(/\p{Cc}+/gu, ' ');
  // The cut may leave half a character, which no database takes.
  return line.length <= EXCERPT_MAX ? line.toWellFormed() : `${line.slice(0, EXCERPT_MAX).toWellFormed()}…`;
}
