import type { MessageItem, WebhookBody } from '../../src/domain/contract/message.js';
import type { Json } from '../../src/domain/json/json.js';
import { readJson } from '../../src/domain/json/read-json.js';

interface Beside {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** A webhook as it arrives at the rules. */
export function webhookOf(text: string, { headers = {}, query = {} }: Beside = {}): WebhookBody {
  const { value: body } = readJson(text);
  return { body, text, headers: new Map(Object.entries(headers)), query: new Map(Object.entries(query)) };
}

/** A message of which the body is the item. */
export function messageOf(body: Json, { headers = {}, query = {} }: Beside = {}): MessageItem {
  return {
    body,
    item: body,
    headers: new Map(Object.entries(headers)),
    query: new Map(Object.entries(query)),
    hash: () => 'a-digest',
  };
}
