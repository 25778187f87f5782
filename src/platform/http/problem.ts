import type { SyncError } from '../../domain/sync-error.js';
import { CODES, type Code } from '../../domain/sync-error.js';

/** Said in full, because Fastify would add the charset and a direct route would not. */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/** RFC 9457, with a stable code. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: Code;
  readonly detail: string;
  /** JSON Pointer to the part of the request in question. */
  readonly at?: string;
}

/** Further members that an answer may carry, such as the ids of the events in question. */
export type ProblemFacts = Readonly<Record<string, string | undefined>>;

export function problemOf(code: Code, detail: string, at?: string): Problem {
  const { title, status } = CODES[code];
  return { type: `/docs/errors#${code}`, title, status, code, detail, ...(at === undefined ? {} : { at }) };
}

export function problemOfError(error: SyncError): Problem {
  return problemOf(error.code, error.message, error.at);
}
