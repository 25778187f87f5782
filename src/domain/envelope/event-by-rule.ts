import { hash } from 'node:crypto';
import type { EventRule, System, WebhookRule } from '../contract/contract.js';
import { rfc3339Of, type InstantSource } from '../contract/instant-source.js';
import type { MessageItem, WebhookBody } from '../contract/message.js';
import { isSamePlace, select, type Selector } from '../contract/selector.js';
import {
  fillTemplate,
  onlyHole,
  scalarText,
  selectorsOf,
  typedKeyPart,
  type SpellPart,
  type Template,
} from '../contract/template.js';
import { isSafeCorrelationId } from '../correlation-id.js';
import type { ReceivedEvent } from '../event.js';
import { normalizeIdText } from '../external-id.js';
import { canonicalJson } from '../json/canonical-json.js';
import { JsonNumber, isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.js';
import { plantTree } from '../json/pointer-tree.js';
import { writeJson } from '../json/write-json.js';
import { quoted } from '../quoted.js';
import { SyncError } from '../sync-error.js';
import type { LinkPart } from './complete-links.js';
import { completeEvent, type EventParts, type Reception } from './complete-event.js';

/** The body or one of its elements, as a rule's templates and conditions see it. */
export function itemOf(rule: WebhookRule, body: WebhookBody, item: Json, { contract }: Reception): MessageItem {
  const { body: whole, headers, query } = body;
  return { body: whole, headers, query, item, hash: () => digestOf(item, rule, contract) };
}

/**
 * The event that the rule makes of an item.
 *
 * @param bodyText the JSON that the whole body stands for, as it was written
 * @throws SyncError `webhook.unmatched` where a part that the rule needs has no usable value, or the code of the first
 *   part that the contract does not take
 */
export function eventByRule(
  rule: EventRule,
  message: MessageItem,
  bodyText: string,
  reception: Reception,
): ReceivedEvent {
  const owner = ownerOf(rule, reception);
  const spellId = idSpelling(rule, owner);
  const spellKey: SpellPart = (place, value, text) =>
    isIdPlace(place, rule) ? spellId(place, value, text) : typedKeyPart(value, text);
  const fillIfAny = (template: Template | undefined): string | undefined => {
    const filled = template === undefined ? undefined : fillTemplate(template, message, spellId);
    return filled?.kind === 'text' ? filled.text : undefined;
  };
  const correlationId = fillIfAny(rule.correlationId);
  const parts: EventParts = {
    eventType: rule.eventType,
    idempotencyKey: fill(rule.idempotencyKey, message, { part: 'the idempotency key', spell: spellKey }),
    entityType: fill(rule.entityType, message, { part: 'the entity type', spell: spellId }),
    entitySystem: rule.entitySystem,
    externalId: rawExternalId(rule, message, spellId),
    internalId: fillIfAny(rule.internalId),
    links: linksOf(rule, message, reception),
    version: numberAsWritten(rule.version, message) ?? fillIfAny(rule.version),
    occurredAt: occurredAt(rule.occurredAt, message),
    state: rule.state && fill(rule.state, message, { part: 'the state', spell: spellId }),
    expectedState: fillIfAny(rule.expectedState),
    ...payloadOf(rule, message, bodyText),
  };
  const told = isSafeCorrelationId(correlationId) ? { ...reception, correlationId } : reception;
  return completeEvent(parts, told);
}

/** By value, however it was printed, and without what the event type calls volatile. */
function digestOf(item: Json, rule: WebhookRule, contract: Reception['contract']): string {
  const eventType = rule.kind === 'event' ? contract.eventTypes.get(rule.eventType) : undefined;
  const base = rule.kind === 'event' && rule.payload?.kind === 'item' ? rule.payload.pointer.steps : [];
  const places = (eventType?.volatile ?? []).map(({ stretches: [first = [], ...rest] }) => ({
    stretches: [[...base, ...first], ...rest],
    mark: 'volatile' as const,
  }));
  return hash('sha256', canonicalJson(item, { marks: plantTree(places) }), 'hex');
}

function ownerOf({ entitySystem }: EventRule, { contract, source }: Reception): System {
  return (entitySystem === undefined ? undefined : contract.systems.get(entitySystem)) ?? source;
}

/** Ids are normalised before they become parts of a key, so that a stray blank makes no second fact. */
function idSpelling(rule: EventRule, owner: System): SpellPart {
  return (place, _value, text) => (isIdPlace(place, rule) ? normalizeIdText(text, owner.externalIds) : text);
}

function isIdPlace(place: Selector, { externalId }: EventRule): boolean {
  return selectorsOf(externalId).some((id) => isSamePlace(id, place));
}

function fill(
  template: Template,
  message: MessageItem,
  { part, spell }: { readonly part: string; readonly spell: SpellPart },
): string {
  const filled = fillTemplate(template, message, spell);
  if (filled.kind === 'text') return filled.text;
  const detail = `The rule reads ${part} from \`${filled.place}\`, where no usable value stands.`;
  throw new SyncError('webhook.unmatched', detail, { at: filled.place });
}

/** An id that is one hole alone keeps the spelling it came in; a composed one has none but ours. */
function rawExternalId({ externalId }: EventRule, message: MessageItem, spell: SpellPart): string {
  const filled = fill(externalId, message, { part: 'the external id', spell });
  const only = onlyHole(externalId);
  return (only === undefined ? undefined : scalarText(select(message, only))) ?? filled;
}

/**
 * Each in the spelling in which its system's own events compose it, and as it came where it is one hole alone; one that
 * does not stand in the message is no link.
 */
function linksOf({ links }: EventRule, message: MessageItem, { contract }: Reception): readonly LinkPart[] {
  return links.flatMap(({ system, externalId }) => {
    const rules = onlyHole(externalId) === undefined ? contract.systems.get(system)?.externalIds : undefined;
    const spell: SpellPart = (_place, _value, text) => (rules === undefined ? text : normalizeIdText(text, rules));
    const filled = fillTemplate(externalId, message, spell);
    return filled.kind === 'text' ? { system, externalId: filled.text } : [];
  });
}

/** A version is judged as it was written: 17.0 is no integer, whichever way it comes. */
function numberAsWritten(template: Template | undefined, message: MessageItem): string | undefined {
  const only = template === undefined ? undefined : onlyHole(template);
  const value = only === undefined ? undefined : select(message, only);
  return value instanceof JsonNumber ? value.text : undefined;
}

/** Absent where nothing stands; what stands there in another format is no instant. */
function occurredAt(source: InstantSource | undefined, message: MessageItem): string | undefined {
  const filled = source === undefined ? undefined : fillTemplate(source.from, message);
  if (source === undefined || filled?.kind !== 'text') return undefined;
  const instant = rfc3339Of(filled.text, source);
  if (instant !== undefined) return instant;
  const detail = `\`occurred_at\` is read from \`${source.from.source}\` as \`${source.format}\`; ${quoted(filled.text)} is none.`;
  throw new SyncError('occurred_at.invalid', detail);
}

/** The record as an object, with its text: as it was written where it is the whole body. */
function payloadOf(rule: EventRule, message: MessageItem, text: string): Pick<EventParts, 'payload' | 'payloadText'> {
  const value = rule.payload === undefined ? message.item : select(message, rule.payload);
  if (isJsonObject(value)) return written(value, value === message.body ? text : undefined);
  const isScalarElement = rule.each !== undefined && value !== undefined && value !== null && !isJsonArray(value);
  if (rule.payload === undefined && isScalarElement) return written(new Map([['item', value]]));
  const place = rule.payload?.source ?? rule.each?.source ?? '';
  const detail = `The rule reads the payload from \`${place}\`, where no JSON object stands.`;
  throw new SyncError('webhook.unmatched', detail, { at: place });
}

function written(payload: JsonObject, text = writeJson(payload)): Pick<EventParts, 'payload' | 'payloadText'> {
  return { payload, payloadText: text };
}
