import type { System, WebhookRule } from '../contract/contract.js';
import { valueAt, type Pointer } from '../contract/pointer.js';
import { fillTemplate, pointersOf, scalarText, type Template } from '../contract/template.js';
import { isSafeCorrelationId } from '../correlation-id.js';
import type { ReceivedEvent } from '../event.js';
import { normalizeIdText } from '../external-id.js';
import { JsonNumber, isJsonObject, type Json } from '../json/json.js';
import { SyncError, type Code } from '../sync-error.js';
import { completeEvent, type Reception } from './complete-event.js';

export type ReadWebhook =
  | { readonly kind: 'event'; readonly event: ReceivedEvent }
  /** Kept as a dead letter: a refusal would make vendors switch their hook off. */
  | { readonly kind: 'unmatched'; readonly code: Code; readonly reason: string };

/** Reads a vendor's webhook by the rules of its system; the first rule whose conditions all hold decides. */
export function readWebhook(body: Json, bodyText: string, reception: Reception): ReadWebhook {
  const rule = matchingRule(body, reception.source);
  if (rule === undefined) {
    return { kind: 'unmatched', code: 'webhook.unmatched', reason: 'No rule’s conditions hold for this body.' };
  }
  try {
    return { kind: 'event', event: readByRule(rule, body, bodyText, reception) };
  } catch (error) {
    if (error instanceof SyncError) return { kind: 'unmatched', code: error.code, reason: error.message };
    throw error;
  }
}

function matchingRule(body: Json, source: System): WebhookRule | undefined {
  return source.ingest?.webhooks.find((rule) =>
    rule.when.every(({ pointer, anyOf }) => {
      const text = scalarText(valueAt(body, pointer));
      return text !== undefined && anyOf.includes(text);
    }),
  );
}

function readByRule(rule: WebhookRule, body: Json, bodyText: string, reception: Reception): ReceivedEvent {
  if (!isJsonObject(body)) throw new SyncError('webhook.unmatched', 'The body is not a JSON object.');
  const spellId = idSpelling(rule, reception.source);
  const fill = (template: Template, part: string): string => {
    const filled = fillTemplate(template, body, spellId);
    if (filled.kind === 'text') return filled.text;
    const detail = `The rule reads ${part} from \`${filled.pointer}\`, where no usable value stands.`;
    throw new SyncError('webhook.unmatched', detail, { at: filled.pointer });
  };
  const fillIfAny = (template: Template | undefined): string | undefined => {
    const filled = template === undefined ? undefined : fillTemplate(template, body, spellId);
    return filled?.kind === 'text' ? filled.text : undefined;
  };
  const correlationId = fillIfAny(rule.correlationId);
  return completeEvent(
    {
      eventType: rule.eventType,
      idempotencyKey: fill(rule.idempotencyKey, 'the idempotency key'),
      entityType: fill(rule.entityType, 'the entity type'),
      entitySystem: undefined,
      externalId: rawExternalId(rule, body, fill),
      version: numberAsWritten(rule.version, body) ?? fillIfAny(rule.version),
      occurredAt: fillIfAny(rule.occurredAt),
      payload: body,
      payloadText: bodyText,
    },
    isSafeCorrelationId(correlationId) ? { ...reception, correlationId } : reception,
  );
}

/** An id that is one pointer alone keeps the spelling it came in; a composed one has none but ours. */
function rawExternalId(rule: WebhookRule, body: Json, fill: (template: Template, part: string) => string): string {
  const filled = fill(rule.externalId, 'the external id');
  const [only, ...others] = rule.externalId.parts;
  const isOnePointer = only !== undefined && typeof only !== 'string' && others.length === 0;
  return (isOnePointer ? scalarText(valueAt(body, only)) : undefined) ?? filled;
}

/** A version is judged as it was written: 17.0 is no integer, whichever way it comes. */
function numberAsWritten(template: Template | undefined, body: Json): string | undefined {
  const [only, ...others] = template?.parts ?? [];
  if (only === undefined || typeof only === 'string' || others.length > 0) return undefined;
  const value = valueAt(body, only);
  return value instanceof JsonNumber ? value.text : undefined;
}

/** Ids are normalised before they become parts of a key, so that a stray blank makes no second fact. */
function idSpelling(rule: WebhookRule, source: System): (pointer: Pointer, value: string) => string {
  const ids = new Set(pointersOf(rule.externalId).map((pointer) => pointer.source));
  return (pointer, value) => (ids.has(pointer.source) ? normalizeIdText(value, source.externalIds) : value);
}
