import type { WebhookBody } from '../../domain/contract/message.js';
import { writeJson } from '../../domain/json/write-json.js';
import type { SentBody } from '../../platform/http/exchange.js';
import { SyncError } from '../../domain/sync-error.js';
import {
  bodyText,
  formFields,
  isForm,
  isUtf8WhenDecoded,
  parseJson,
  rawBody,
  refuseCloudEvents,
} from '../../platform/http/raw-body.js';

/**
 * A webhook as rules read it. A form reads as `{ name: text }`. Some vendors say everything in headers: no body at
 * all reads as an empty object.
 *
 * @param url that was called, for its query
 * @throws SyncError `body.…`, or `request.invalid` for a query that is no UTF-8
 */
export function webhookBody(request: SentBody, url: string): WebhookBody {
  refuseCloudEvents(request);
  const parts = { headers: headersOf(request), query: queryOf(url) };
  if (isForm(request)) {
    const body = formFields(request);
    return { ...parts, body, text: writeJson(body) };
  }
  const text = rawBody(request).length === 0 ? '{}' : bodyText(request);
  return { ...parts, body: parseJson(text).value, text };
}

function headersOf({ headers }: SentBody): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

/** Of a parameter that stands several times the first counts. */
function queryOf(url: string): ReadonlyMap<string, string> {
  const query = url.split('?').slice(1).join('?');
  if (!isUtf8WhenDecoded(query)) {
    throw new SyncError('request.invalid', 'The query holds bytes that are no UTF-8.');
  }
  return new Map([...new URLSearchParams(query)].reverse());
}
