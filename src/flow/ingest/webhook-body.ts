import type { WebhookBody } from '../../domain/contract/message.js';
import { writeJson } from '../../domain/json/write-json.js';
import type { Incoming } from '../../platform/http/exchange.js';
import { bodyText, formFields, isForm, parseJson, rawBody, refuseCloudEvents } from '../../platform/http/raw-body.js';

/**
 * A webhook as rules read it. A form reads as `{ name: text }`. Some vendors say everything in headers: no body at
 * all reads as an empty object.
 *
 * @throws SyncError `body.…`
 */
export function webhookBody(request: Incoming): WebhookBody {
  refuseCloudEvents(request);
  const parts = { headers: headersOf(request), query: queryOf(request) };
  if (isForm(request)) {
    const body = formFields(request);
    return { ...parts, body, text: writeJson(body) };
  }
  const text = rawBody(request).length === 0 ? '{}' : bodyText(request);
  return { ...parts, body: parseJson(text).value, text };
}

function headersOf({ headers }: Incoming): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

/** Of a parameter that stands several times the first counts. */
function queryOf({ raw }: Incoming): ReadonlyMap<string, string> {
  const query = (raw.url ?? '').split('?').slice(1).join('?');
  return new Map([...new URLSearchParams(query)].reverse());
}
