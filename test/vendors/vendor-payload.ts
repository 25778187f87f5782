import { readFileSync } from 'node:fs';
import { webhookOf } from '../support/message-of.js';
import type { WebhookBody } from '../../src/domain/contract/message.js';
import { JsonNumber, isJsonArray, isJsonObject, type Json } from '../../src/domain/json/json.js';
import { readJson } from '../../src/domain/json/read-json.js';
import { writeJson } from '../../src/domain/json/write-json.js';

/** A webhook of a vendor as it is sent: the files in this folder, written after the vendors' public documentation. */
export interface VendorPayload {
  readonly headers: Readonly<Record<string, string>>;
  /** A form reads as names and texts. */
  readonly body: Json;
  /** What goes over the wire. */
  readonly sent: string;
}

/** @param name of the file, such as `shopify/orders-create` */
export function vendorPayload(name: string): VendorPayload {
  const { value } = readJson(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'));
  const file = isJsonObject(value) ? value : new Map<string, Json>();
  const headers = JSON.parse(writeJson(file.get('headers') ?? new Map())) as Record<string, string>;
  const form = file.get('form');
  if (typeof form === 'string') return { headers, body: new Map(new URLSearchParams(form)), sent: form };
  const body = file.get('body');
  if (body === undefined) throw new Error(`${name} has neither body nor form.`);
  return { headers, body, sent: writeJson(body) };
}

export function asWebhook({ headers, body }: VendorPayload): WebhookBody {
  return webhookOf(writeJson(body), { headers });
}

/** The same with other values at some places: pointers into the body, or `header/…`. */
export function changed(payload: VendorPayload, values: Readonly<Record<string, unknown>>): VendorPayload {
  let { headers, body } = payload;
  for (const [place, value] of Object.entries(values)) {
    if (place.startsWith('header/')) headers = { ...headers, [place.slice('header/'.length)]: String(value) };
    else body = withValue(body, place.split('/').slice(1), readJson(JSON.stringify(value)).value);
  }
  return { headers, body, sent: writeJson(body) };
}

/** The same content in another print: members in the opposite order, numbers with another scale. */
export function reprinted(value: Json): Json {
  if (value instanceof JsonNumber) return new JsonNumber(value.text + (value.text.includes('.') ? '0' : '.0'));
  if (isJsonArray(value)) return value.map(reprinted);
  if (!isJsonObject(value)) return value;
  return new Map([...value].reverse().map(([name, member]) => [name, reprinted(member)]));
}

function withValue(json: Json, [step, ...rest]: readonly string[], value: Json): Json {
  if (step === undefined) return value;
  if (isJsonArray(json)) return json.map((item, at) => (String(at) === step ? withValue(item, rest, value) : item));
  if (!isJsonObject(json) || !json.has(step)) throw new Error(`Nothing stands at ${step}.`);
  return new Map([...json].map(([name, member]) => [name, name === step ? withValue(member, rest, value) : member]));
}
