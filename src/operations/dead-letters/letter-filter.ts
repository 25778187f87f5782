import { parseInternalId } from '../../domain/ids.js';
import { formatInstant } from '../../domain/instant.js';
import { SyncError } from '../../domain/sync-error.js';
import { readInstant } from '../../platform/http/page-query.js';
import type { LetterFilter, LetterPlace } from './dead-letters.sql.js';

/** The words of a filter, in a query and in the body of a bulk replay alike. */
export const FILTER_WORDS = [
  'kind',
  'code',
  'class',
  'target',
  'source',
  'event_type',
  'internal_id',
  'correlation_id',
  'from',
  'to',
] as const;

export type FilterWords = Readonly<Partial<Record<(typeof FILTER_WORDS)[number], string>>>;

/** @throws SyncError `request.invalid` that names the part */
export function readLetterFilter(words: FilterWords): LetterFilter {
  const { kind, internal_id } = words;
  for (const name of FILTER_WORDS) {
    if (words[name]?.includes('\u0000') === true) throw new SyncError('request.invalid', `\`${name}\` contains NUL.`);
  }
  if (kind !== undefined && kind !== 'event' && kind !== 'delivery') {
    throw new SyncError('request.invalid', '`kind` is `event` or `delivery`.');
  }
  if (internal_id !== undefined && parseInternalId(internal_id) === undefined) {
    throw new SyncError('request.invalid', '`internal_id` is the id of an entity.');
  }
  return {
    kind: kind ?? null,
    code: words.code ?? null,
    class: words.class ?? null,
    target: words.target ?? null,
    source: words.source ?? null,
    event_type: words.event_type ?? null,
    internal_id: internal_id ?? null,
    correlation_id: words.correlation_id ?? null,
    from: instant('from', words.from),
    to: instant('to', words.to),
  };
}

function instant(name: string, text: string | undefined): string | null {
  const micros = readInstant(name, text);
  return micros === undefined ? null : formatInstant(micros);
}

/** A cursor is opaque to its users. */
export function writeLetterCursor({ dead_at, key }: LetterPlace): string {
  return Buffer.from(JSON.stringify([dead_at, key])).toString('base64url');
}

/** @throws SyncError `request.invalid` */
export function readLetterCursor(text: string | undefined): LetterPlace | undefined {
  if (text === undefined) return undefined;
  try {
    const [deadAt, key] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[];
    if (typeof deadAt === 'string' && typeof key === 'string' && !key.includes('\u0000')) {
      const micros = readInstant('cursor', deadAt);
      if (micros !== undefined) return { dead_at: formatInstant(micros), key };
    }
  } catch {
    // Not one of ours, as below.
  }
  throw new SyncError('request.invalid', '`cursor` is the `next_cursor` of a former page.');
}
