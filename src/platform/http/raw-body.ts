import { isUtf8 } from 'node:buffer';
import { JsonRefused, readJson, type JsonProblem, type ReadJson } from '../../domain/json/read-json.js';
import { quoted } from '../../domain/quoted.js';
import { SyncError, type Code } from '../../domain/sync-error.js';
import type { Incoming } from './exchange.js';

/** The bytes of the request as they arrived; empty where there was no body. */
export function rawBody(request: Incoming): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : EMPTY;
}

/** How a request carries CloudEvents 1.0 (HTTP binding §3): one beside its body, one in it, or several in it. */
export type CloudEventMode = 'binary' | 'structured' | 'batch';

/** Undefined where a request carries none. In structured mode the headers of binary mode may stand beside the body. */
export function cloudEventMode({ headers }: Incoming): CloudEventMode | undefined {
  const contentType = headers['content-type'] ?? '';
  if (contentType !== 'application/json' && /^\s*application\/cloudevents/i.test(contentType)) {
    return /^\s*application\/cloudevents-batch/i.test(contentType) ? 'batch' : 'structured';
  }
  return headers['ce-specversion'] === undefined ? undefined : 'binary';
}

/**
 * The body of a route that reads no CloudEvents: these have an envelope of their own, and taken for something else
 * their parts would be misread. Otherwise as `bodyText`.
 *
 * @throws SyncError `body.media_type`, `body.not_utf8`
 */
export function jsonText(request: Incoming): string {
  if (cloudEventMode(request) === undefined) return bodyText(request);
  throw new SyncError('body.media_type', 'CloudEvents are read on `/v1/events` and `/v1/events/batch` only.');
}

/**
 * The body as JSON text, without a byte-order mark: some vendors send one, and the signature needs it but the parser
 * must not see it.
 *
 * @throws SyncError `body.media_type` for a charset or encoding that is not read, `body.not_utf8`
 */
export function bodyText(request: Incoming): string {
  checkMediaType(request);
  const bytes = rawBody(request);
  if (!isUtf8(bytes)) throw new SyncError('body.not_utf8', 'The body holds bytes that are no UTF-8.');
  const text = bytes.toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** @throws SyncError that says what is wrong with the JSON, and at which character */
export function parseJson(text: string, keepSourceOf?: string): ReadJson {
  try {
    return readJson(text, keepSourceOf);
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

/** JSON by any of its names, or no name at all; always UTF-8, never compressed. */
function checkMediaType({ headers }: Incoming): void {
  // What nearly every request says, without looking closer.
  if (headers['content-type'] === 'application/json' && headers['content-encoding'] === undefined) return;
  const [mediaType = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (!/^\s*(application\/json|application\/[\w.+-]+\+json|text\/json|)\s*$/.test(mediaType)) {
    throw new SyncError('body.media_type', `Send application/json; ${quoted(mediaType.trim())} is not read.`);
  }
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
