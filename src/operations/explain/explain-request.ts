import type { Contract, System } from '../../domain/contract/contract.js';
import type { WebhookBody } from '../../domain/contract/message.js';
import type { Payload } from '../../domain/explain/explain-payload.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json/json.js';
import { writeJson } from '../../domain/json/write-json.js';
import { quoted } from '../../domain/quoted.js';
import { SyncError } from '../../domain/sync-error.js';
import { webhookBody } from '../../flow/ingest/webhook-body.js';
import type { Incoming } from '../../platform/http/exchange.js';
import { bodyText, parseJson } from '../../platform/http/raw-body.js';

/** What is to be explained, and who would send it. */
export interface ExplainWish {
  readonly system: System;
  readonly payload: Payload;
}

const PARTS = ['system', 'headers', 'query', 'body', 'raw', 'envelope'];

/**
 * Reads `{ system, envelope }`, `{ system, body, headers, query }` or, for bodies that are no JSON, `raw` instead of
 * `body`. Numbers keep their digits, as they do at the door.
 *
 * @throws SyncError `request.invalid`, `system.unknown`, or `body.…` for a `raw` that cannot be read
 */
export function readExplainRequest(request: Incoming, contract: Contract): ExplainWish {
  const { value, sources } = parseJson(bodyText(request), 'payload');
  if (!isJsonObject(value)) throw invalid('The body is a JSON object.');
  for (const name of value.keys()) {
    if (!PARTS.includes(name)) throw invalid(`${quoted(name)} is not known; expected ${PARTS.join(', ')}.`);
  }
  const given = ['body', 'raw', 'envelope'].filter((name) => value.has(name));
  if (given.length !== 1) throw invalid('Send exactly one of `body`, `raw` and `envelope`.');
  const system = systemOf(value.get('system'), contract);
  const envelope = value.get('envelope');
  if (envelope !== undefined) {
    const input = { envelope, payloadSources: sources, headerKey: undefined };
    return { system, payload: { kind: 'envelope', input } };
  }
  return { system, payload: { kind: 'webhook', body: readBody(value) } };
}

function readBody(value: JsonObject): WebhookBody {
  const headers = textsOf(value, 'headers');
  const query = textsOf(value, 'query');
  const raw = value.get('raw');
  if (raw === undefined) {
    const body = value.get('body') ?? null;
    return { body, text: writeJson(body), headers, query };
  }
  if (typeof raw !== 'string') throw invalid('`raw` is the body as text.');
  const sent = { headers: Object.fromEntries(headers), body: Buffer.from(raw) };
  return { ...webhookBody(sent, ''), query };
}

function systemOf(name: Json | undefined, contract: Contract): System {
  if (typeof name !== 'string') throw invalid('`system` is missing: who would send it.');
  const system = contract.systems.get(name);
  if (system?.ingest !== undefined) return system;
  throw new SyncError('system.unknown', `The contract has no system ${quoted(name)} that sends.`, { at: '/system' });
}

/** Names of headers in lower case, as they are compared. */
function textsOf(value: JsonObject, part: 'headers' | 'query'): ReadonlyMap<string, string> {
  const texts = value.get(part) ?? new Map<string, Json>();
  if (!isJsonObject(texts)) throw invalid(`\`${part}\` is an object of texts.`);
  return new Map(
    [...texts].map(([name, text]): [string, string] => {
      if (typeof text !== 'string') throw invalid(`\`${part}\` is an object of texts; ${quoted(name)} is none.`);
      return [part === 'headers' ? name.toLowerCase() : name, text];
    }),
  );
}

function invalid(detail: string): SyncError {
  return new SyncError('request.invalid', detail);
}
