import type { FastifyRequest } from 'fastify';
import { instantMicros } from '../../domain/instant.js';
import { SyncError } from '../../domain/sync-error.js';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 500;

/** The query of a request, by name; a name that the route does not know is refused rather than ignored. */
export function readQuery<Name extends string>(
  request: FastifyRequest,
  names: readonly Name[],
): Readonly<Partial<Record<Name, string>>> {
  const query: Partial<Record<Name, string>> = {};
  for (const [name, value] of Object.entries(request.query as Record<string, unknown>)) {
    const known = names.find((candidate) => candidate === name);
    if (known === undefined) {
      const expected = names.length === 0 ? 'this route takes none' : `known are ${names.join(', ')}`;
      throw new SyncError('request.invalid', `The query has no parameter \`${name}\`; ${expected}.`);
    }
    if (typeof value !== 'string') throw new SyncError('request.invalid', `\`${name}\` stands twice in the query.`);
    if (value.includes('\u0000')) throw new SyncError('request.invalid', `\`${name}\` contains NUL.`);
    if (value !== '') query[known] = value;
  }
  return query;
}

export function readLimit(text: string | undefined): number {
  if (text === undefined) return LIMIT_DEFAULT;
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= LIMIT_MAX) return limit;
  throw new SyncError('request.invalid', `\`limit\` is a number from 1 to ${String(LIMIT_MAX)}.`);
}

/** Microseconds of 10000-01-01T00:00:00Z: RFC 3339 cannot spell what comes then. */
const INSTANT_END = 253_402_300_800_000_000n;

/** Microseconds since 1970 of a time in a query; before it nothing was ever kept. */
export function readInstant(name: string, text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const micros = instantMicros(text);
  if (micros !== undefined && micros >= 0n && micros < INSTANT_END) return micros;
  const detail = `\`${name}\` is an RFC 3339 date-time since 1970 such as 2025-01-01T00:00:00Z.`;
  throw new SyncError('request.invalid', detail);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A cursor is opaque to its users; it holds the id after which the next page begins. */
export function writeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

export function readCursor(text: string | undefined): string | null {
  if (text === undefined) return null;
  const id = Buffer.from(text, 'base64url').toString('utf8');
  if (UUID.test(id)) return id;
  throw new SyncError('request.invalid', '`cursor` is the `next_cursor` of a former page.');
}

/** A page of a list; `next_cursor` is absent on the last one. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  idOf: (row: Row) => string,
  view: (row: Row) => Item,
): { readonly items: readonly Item[]; readonly next_cursor?: string } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const items = shown.map(view);
  return rows.length > limit && last !== undefined ? { items, next_cursor: writeCursor(idOf(last)) } : { items };
}
