import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignatureAuth, SignatureTimestamp } from '../../domain/contract/contract.js';
import type { SignedPart } from '../../domain/contract/signed-part.js';
import { instantMicros } from '../../domain/instant.js';
import type { Incoming } from '../../platform/http/exchange.js';
import { rawBody } from '../../platform/http/raw-body.js';

const DIGEST_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;

/**
 * Whether one of the keys signed these very bytes, and lately. Everything about the request is hostile until this
 * returns true; nothing in it can make it throw.
 *
 * @param publicUrl the URL that the sender sees; absent: as the request names it
 */
export function isSigned(
  request: Incoming,
  auth: SignatureAuth,
  { nowMs, publicUrl }: { readonly nowMs: number; readonly publicUrl: string | undefined },
): boolean {
  const header = single(request, auth.header);
  if (header === undefined) return false;
  const timestamp = auth.timestamp === undefined ? undefined : timestampOf(request, header, auth.timestamp);
  if (auth.timestamp !== undefined && !isRecent(timestamp, auth.timestamp, nowMs)) return false;
  const shown = signaturesIn(header, auth);
  const signed = auth.signed.flatMap((part) => valueOf(part, { request, timestamp, publicUrl }) ?? []);
  if (shown.length === 0 || signed.length < auth.signed.length) return false;
  return auth.keys.some((key) => {
    const hmac = createHmac(auth.algorithm, key);
    for (const part of signed) hmac.update(part);
    const expected = hmac.digest();
    return shown.some((signature) => timingSafeEqual(signature, expected));
  });
}

/** A header that stands twice is none: Node joins the two, and it would be ours to guess which one counts. */
function single(request: Incoming, name: string): string | undefined {
  const [value, ...others] = request.raw.headersDistinct[name] ?? [];
  return others.length === 0 ? value : undefined;
}

function timestampOf(request: Incoming, header: string, { at }: SignatureTimestamp): string | undefined {
  if ('header' in at) return single(request, at.header);
  const prefix = `${at.part}=`;
  return entriesOf(header, prefix)
    .find((entry) => entry.startsWith(prefix))
    ?.slice(prefix.length);
}

function isRecent(text: string | undefined, { format, toleranceSeconds }: SignatureTimestamp, nowMs: number): boolean {
  const ms = text === undefined ? undefined : epochMs(text, format);
  return ms !== undefined && Math.abs(nowMs - ms) <= toleranceSeconds * 1000;
}

function epochMs(text: string, format: SignatureTimestamp['format']): number | undefined {
  if (format === 'rfc3339') {
    const micros = instantMicros(text);
    return micros === undefined ? undefined : Number(micros / 1000n);
  }
  // One spelling only: digits that the signature covers as part of something else could lead it otherwise.
  if (!/^(?:0|[1-9]\d{0,14})$/.test(text)) return undefined;
  return Number(text) * (format === 'unix' ? 1000 : 1);
}

/** Those that are written well; of another length none could be equal. */
function signaturesIn(header: string, { prefix, encoding, algorithm }: SignatureAuth): readonly Buffer[] {
  const wellWritten = encoding === 'hex' ? /^(?:[0-9a-f]{2})+$/i : /^[A-Za-z0-9+/]+={0,2}$/;
  return entriesOf(header, prefix)
    .filter((entry) => entry.startsWith(prefix))
    .map((entry) => entry.slice(prefix.length))
    .filter((signature) => wellWritten.test(signature))
    .map((signature) => Buffer.from(signature, encoding))
    .filter((signature) => signature.length === DIGEST_BYTES[algorithm]);
}

/** Entries are separated by commas or blanks; where the prefix itself holds a comma (`v1,…`), by blanks alone. */
function entriesOf(header: string, prefix: string): readonly string[] {
  return header.split(prefix.includes(',') ? /\s+/ : /[\s,]+/);
}

interface Signed {
  readonly request: Incoming;
  readonly timestamp: string | undefined;
  readonly publicUrl: string | undefined;
}

/** One part of what was signed; undefined where the request has no such part. */
function valueOf(part: SignedPart, { request, timestamp, publicUrl }: Signed): string | Buffer | undefined {
  switch (part.kind) {
    case 'body':
      return rawBody(request);
    case 'text':
      return part.text;
    case 'timestamp':
      return timestamp;
    case 'header':
      return single(request, part.name);
    case 'method':
      return request.raw.method;
    case 'url':
      return urlOf(request, publicUrl);
    case 'form_sorted':
      return formSorted(rawBody(request).toString('utf8'));
  }
}

/** A query belongs to the URL that was called, also behind a proxy. */
function urlOf({ headers, raw }: Incoming, publicUrl: string | undefined): string {
  const pathAndQuery = raw.url ?? '';
  if (publicUrl === undefined) return `http://${headers.host ?? ''}${pathAndQuery}`;
  const queryAt = pathAndQuery.indexOf('?');
  return queryAt === -1 ? publicUrl : publicUrl + pathAndQuery.slice(queryAt);
}

function formSorted(form: string): string {
  const fields = [...new URLSearchParams(form)].sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  return fields.flat().join('');
}
