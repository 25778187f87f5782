import type { FastifyRequest } from 'fastify';
import { quoted } from '../../domain/quoted.js';
import { SyncError } from '../../domain/sync-error.js';
import { letterTag, type DeadLetter } from '../../flow/work/dead-letter.js';
import type { Credentials } from '../../platform/http/credentials.js';
import type { LetterRequest } from './dead-letters.dto.js';

/** What a person wants done, and why. */
export interface Wish {
  /** In the words of whoever asks; kept in the trace and in the audit. */
  readonly reason: string;
  /** The name of the access key. */
  readonly operator: string;
  /** Nothing is changed; the answer says what would be. */
  readonly isDryRun: boolean;
}

/** What a person wants with one letter. */
export interface LetterWish extends Wish {
  readonly letterId: string;
  /** The letter as it was seen, where the request says so. */
  readonly ifMatch: string | undefined;
}

/** @throws SyncError `request.invalid` */
export function readWish(request: FastifyRequest, body: LetterRequest, credentials: Credentials): Wish {
  if (body.reason.includes('\u0000')) throw new SyncError('request.invalid', '/reason: reason contains NUL.');
  return {
    // The reason is shown to everybody who may read a trace.
    reason: credentials.withoutSecrets(body.reason),
    operator: request.caller?.accessKey?.name ?? 'operator',
    isDryRun: body.dry_run === true,
  };
}

/** No letter is kept under an id that PostgreSQL refuses. */
export function checkLetterId(letterId: string): void {
  if (letterId.includes('\u0000')) throw letterNotFound(letterId);
}

export function letterNotFound(letterId: string): SyncError {
  return new SyncError('dead_letter.not_found', `There is no dead letter ${quoted(letterId)}.`);
}

/** @throws SyncError `dead_letter.changed` when the letter is not the one that was seen (RFC 9110 §13.1.1) */
export function checkTag(letter: DeadLetter, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  const accepted = ifMatch.split(',').map((tag) => tag.trim());
  if (accepted.includes('*') || accepted.includes(letterTag(letter))) return;
  throw letterChanged();
}

export function letterChanged(): SyncError {
  return new SyncError('dead_letter.changed', 'It died anew since you looked at it; read it again.');
}

export function inOperatorsWords({ operator, reason }: Pick<Wish, 'operator' | 'reason'>): string {
  return `${operator}: ${reason}`;
}
