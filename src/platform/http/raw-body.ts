import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '../../domain/json/json.js';
import { JsonRefused, readJson, type JsonProblem, type ReadJson } from '../../domain/json/read-json.js';
import { quoted } from '../../domain/quoted.js';
import { SyncError, type Code } from '../../domain/sync-error.js';
import type { SentBody } from './exchange.js';

/** The bytes of the request as they arrived; empty where there was no body. */
export function rawBody(request: SentBody): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : EMPTY;
}

/** How a request carries CloudEvents 1.0 (HTTP binding §3): one beside its body, one in it, or several in it. */
export type CloudEventMode = 'binary' | 'structured' | 'batch';

/** Undefined where a request carries none. In structured mode the headers of binary mode may stand beside the body. */
export function cloudEventMode({ headers }: SentBody): CloudEventMode | undefined {
  const contentType = headers['content-type'] ?? '';
  if (contentType !== 'application/json' && /^\s*application\/cloudevents/i.test(contentType)) {
    return /^\s*application\/cloudevents-batch/i.test(contentType) ? 'batch' : 'structured';
  }
  return headers['ce-specversion'] === undefined ? undefined : 'binary';
}

/** @throws SyncError `body.media_type` on a route whose bodies are not events: their parts would be misread */
export function refuseCloudEvents(request: SentBody): void {
  if (cloudEventMode(request) === undefined) return;
  throw new SyncError('body.media_type', 'CloudEvents are read on `/v1/events` and `/v1/events/batch` only.');
}

/**
 * The body of a route that reads no CloudEvents; otherwise as `bodyText`.
 *
 * @throws SyncError `body.media_type`, `body.not_utf8`
 */
export function jsonText(request: SentBody): string {
  refuseCloudEvents(request);
  return bodyText(request);
}

/** Whether the body is an HTML form. */
export function isForm({ headers }: SentBody): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '');
}

/**
 * The fields of a form in the order of their first appearance; one that stands several times is a list.
 *
 * @throws SyncError `body.media_type` for a charset or encoding that is not read, `body.not_utf8`
 */
export function formFields(request: SentBody): JsonObject {
  checkParameters(request);
  const form = utf8Text(request);
  if (!isUtf8WhenDecoded(form)) throw notUtf8();
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(form)) {
    const known = fields.get(name);
    if (known === undefined) fields.set(name, [value]);
    else known.push(value);
  }
  return new Map([...fields].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]));
}

/**
 * The body as JSON text, without a byte-order mark: some vendors send one, and the signature needs it but the parser
 * must not see it.
 *
 * @throws SyncError `body.media_type` for a charset or encoding that is not read, `body.not_utf8`
 */
export function bodyText(request: SentBody): string {
  checkMediaType(request);
  return utf8Text(request);
}

function utf8Text(request: SentBody): string {
  const bytes = rawBody(request);
  if (!isUtf8(bytes)) throw notUtf8();
  const text = bytes.toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function notUtf8(): SyncError {
  return new SyncError('body.not_utf8', 'The body holds bytes that are no UTF-8.');
}

/** Whether what percent signs stand for is UTF-8: `URLSearchParams` makes one character of all that is not. */
export function isUtf8WhenDecoded(encoded: string): boolean {
  if (!encoded.includes('%')) return true;
  const bytes = Buffer.from(encoded, 'utf8').toString('latin1');
  const decoded = bytes.replaceAll(/%([0-9a-f]{2})/gi, (_sequence, hex: string) =>
    String.fromCharCode(Number(`0x${hex}`)),
  );
  return isUtf8(Buffer.from(decoded, 'latin1'));
}

/** @throws SyncError that says what is wrong with the JSON, and at which character */
export function parseJson(text: string, keepSourceOf?: string, depthMax?: number): ReadJson {
  try {
    return readJson(text, keepSourceOf, depthMax);
  } catch (error) {
    if (error instanceof JsonRefused) throw new SyncError(CODE_OF[error.problem], `${error.message}.`);
    throw error;
  }
}

const EMPTY = Buffer.alloc(0);
const BYTE_ORDER_MARK = '\uFEFF';

const CODE_OF: Readonly<Record<JsonProblem, Code>> = {
  not_json: 'body.not_json',
  duplicate_name: 'body.duplicate_name',
  lone_surrogate: 'body.lone_surrogate',
  too_deep: 'body.too_deep',
};

/** JSON by any of its names, or no name at all; always UTF-8, and unpacked by now where it was compressed. */
function checkMediaType(request: SentBody): void {
  const { headers } = request;
  // What nearly every request says, without looking closer.
  if (headers['content-type'] === 'application/json' && headers['content-encoding'] === undefined) return;
  const [mediaType = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (!/^\s*(application\/json|application\/[\w.+-]+\+json|text\/json|)\s*$/.test(mediaType)) {
    throw new SyncError('body.media_type', `Send application/json; ${quoted(mediaType.trim())} is not read.`);
  }
  checkParameters(request);
}

function checkParameters({ headers }: SentBody): void {
  const [, ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=').map((part) => part.trim());
    if (name !== 'charset' || /^"?utf-?8"?$/.test(value)) continue;
    throw new SyncError('body.media_type', `Send UTF-8; the charset ${quoted(value)} is not read.`);
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new SyncError('body.media_type', `Send the body as it is; the encoding ${quoted(encoding)} is not read.`);
  }
}
