import { isSecret } from '../../domain/contract/condition.js';
import type { CompletionRule, Ingest, WebhookRule } from '../../domain/contract/contract.js';
import { credentialHeaders } from '../../domain/contract/credential-headers.js';
import type { Message, WebhookBody } from '../../domain/contract/message.js';
import type { Selector } from '../../domain/contract/selector.js';
import { selectorsOf } from '../../domain/contract/template.js';
import { isJsonObject } from '../../domain/json/json.js';

/** What a dead letter keeps of a webhook beside its body. */
export interface KeptRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** A credential may stand under any of these names, whatever the contract says about it. */
const CREDENTIAL_NAME =
  /auth(?!or(?:s|-|$))|cookie|pass|pwd|secret|token|hmac|jwt|credential|session|signature|(?<!^idempotency-)key|(?:^|[-_])(?:sig|sas|pin|otp|code)(?:$|[-_])/i;
/** Of the way here and not of the sender's fact. */
const OF_THE_TRANSPORT: ReadonlySet<string> = new Set(['connection', 'content-length', 'host', 'transfer-encoding']);

/** The parts that rules may read, without those that may be credentials: these are kept nowhere. */
export function keptRequest(message: Message, ingest: Ingest): KeptRequest {
  const secrets = secretPlaces(ingest);
  const read = ingest.webhooks.flatMap(placesOf);
  const kept = (parts: ReadonlyMap<string, string>, kind: Part): Record<string, string> =>
    Object.fromEntries(
      [...parts].filter(
        ([name]) =>
          !names(secrets, kind, name) &&
          !(kind === 'header' && (OF_THE_TRANSPORT.has(name) || credentialHeaders(ingest.auth).includes(name))) &&
          // What a rule reads is part of the fact, whatever it is called: `X-Event-Key` says what happened.
          (names(read, kind, name) || !CREDENTIAL_NAME.test(name)),
      ),
    );
  return { headers: kept(message.headers, 'header'), query: kept(message.query, 'query') };
}

/**
 * What tells two webhooks with one body apart: everything outside of it that some rule of the system looks at. Where
 * nothing stands in the body, all that is kept: two letters too many are cheaper than a lost fact.
 */
export function distinctionOf(body: WebhookBody, ingest: Ingest): readonly string[] {
  if (isJsonObject(body.body) && body.body.size === 0) {
    const { headers, query } = keptRequest(body, ingest);
    return [...spelt('header', Object.entries(headers)), ...spelt('query', Object.entries(query))].sort();
  }
  const read = ingest.webhooks.flatMap(placesOf);
  const looked = (parts: ReadonlyMap<string, string>, kind: Part): readonly string[] =>
    spelt(
      kind,
      [...parts].filter(([name]) => names(read, kind, name)),
    );
  return [...looked(body.headers, 'header'), ...looked(body.query, 'query')].sort();
}

type Part = 'header' | 'query';

function names(places: readonly Selector[], kind: Part, name: string): boolean {
  return places.some((place) => place.kind === kind && place.name === name);
}

function spelt(kind: Part, parts: readonly (readonly [string, string])[]): readonly string[] {
  return parts.map(([name, value]) => `${kind}/${name}=${value}`);
}

function placesOf(rule: WebhookRule): readonly Selector[] {
  const conditions = rule.when.map(({ place }) => place);
  if (rule.kind === 'answer') return conditions;
  if (rule.kind === 'completes') return [...conditions, ...completionPlaces(rule)];
  const { idempotencyKey, entityType, externalId, internalId, links, version, occurredAt, correlationId } = rule;
  const templates = [idempotencyKey, entityType, externalId, internalId, version, occurredAt?.from, correlationId];
  const linked = links.map((link) => link.externalId);
  return [...conditions, ...[...templates, ...linked].flatMap((template) => (template ? selectorsOf(template) : []))];
}

function completionPlaces({ ticket, end }: CompletionRule): readonly Selector[] {
  return [ticket, end.kind === 'created' ? end.externalId : end.reason].flatMap(selectorsOf);
}

function secretPlaces({ webhooks, unsigned }: Ingest): readonly Selector[] {
  return [...webhooks, ...unsigned].flatMap(({ when }) =>
    when.filter(({ test }) => isSecret(test)).map(({ place }) => place),
  );
}
