import { holds } from '../contract/condition.js';
import type { AnswerRule, EventRule, WebhookRule } from '../contract/contract.js';
import type { Message, MessageItem, WebhookBody } from '../contract/message.js';
import { valueAt, type Pointer } from '../contract/pointer.js';
import { fillTemplate } from '../contract/template.js';
import type { ReceivedEvent } from '../event.js';
import { isJsonArray, type Json } from '../json/json.js';
import { SyncError, type Code } from '../sync-error.js';
import type { Reception } from './complete-event.js';
import { eventByRule, itemOf } from './event-by-rule.js';

/** What the rules of its system make of a webhook. */
export type ReadWebhook =
  | ReadItem
  /** A list stood where a rule says `each`: one outcome per element. */
  | { readonly kind: 'each'; readonly items: readonly ReadItem[] }
  | { readonly kind: 'answer'; readonly answer: FilledAnswer };

export type ReadItem =
  | { readonly kind: 'event'; readonly event: ReceivedEvent; readonly rule: EventRule }
  /** Kept as a dead letter: a refusal would make vendors switch their hook off. */
  | Unmatched;

export interface Unmatched {
  readonly kind: 'unmatched';
  readonly code: Code;
  readonly reason: string;
}

export interface FilledAnswer {
  readonly status: number;
  readonly text: string;
}

/** More would take longer than a vendor waits for its answer. */
const ELEMENTS_MAX = 10_000;
const NO_RULE: Unmatched = unmatched('webhook.unmatched', 'No rule’s conditions hold for it.');

/**
 * Reads a vendor's webhook by the rules of its system, from top to bottom; the first rule whose conditions all hold
 * decides. Rules with `each` are held against the elements of their list, together with all others for the same list;
 * the first list of which a rule takes an element is the webhook's.
 */
export function readWebhook(body: WebhookBody, reception: Reception): ReadWebhook {
  const rules = reception.source.ingest?.webhooks ?? [];
  let isEmptyList = false;
  for (const rule of rules) {
    const list = rule.kind === 'event' ? rule.each : undefined;
    if (list === undefined) {
      const message = itemOf(rule, body, body.body, reception);
      if (takes(rule, message)) return byRule(rule, message, body.text, reception);
      continue;
    }
    const elements = valueAt(body.body, list);
    if (!isJsonArray(elements)) continue;
    isEmptyList ||= elements.length === 0;
    const { items, isTaken } = readEach(elements.slice(0, ELEMENTS_MAX), rulesFor(list, rules), body, reception);
    if (!isTaken) continue;
    return elements.length > ELEMENTS_MAX ? tooMany(list, elements.length) : { kind: 'each', items };
  }
  return isEmptyList ? { kind: 'each', items: [] } : NO_RULE;
}

/** What a request that carries no event is answered; undefined where the first rule that takes it is none for that. */
export function answerWebhook(body: WebhookBody, reception: Reception): FilledAnswer | undefined {
  const read = readWebhook(body, reception);
  return read.kind === 'answer' ? read.answer : undefined;
}

/** What is answered to a request that proved nothing; undefined where no rule says that it may be answered. */
export function answerUnsigned(message: Message, rules: readonly AnswerRule[]): FilledAnswer | undefined {
  const item: MessageItem = { ...message, item: message.body, hash: () => '' };
  const rule = rules.find(({ when }) => when.every((condition) => holds(condition, item)));
  return rule === undefined ? undefined : fillAnswer(rule, item);
}

function rulesFor(list: Pointer, rules: readonly WebhookRule[]): readonly EventRule[] {
  return rules.filter((rule) => rule.kind === 'event').filter(({ each }) => each?.source === list.source);
}

function readEach(
  elements: readonly Json[],
  rules: readonly EventRule[],
  body: WebhookBody,
  reception: Reception,
): { readonly items: readonly ReadItem[]; readonly isTaken: boolean } {
  let isTaken = false;
  const items = elements.map((element) => {
    for (const rule of rules) {
      const message = itemOf(rule, body, element, reception);
      if (!takes(rule, message)) continue;
      isTaken = true;
      return eventOrReason(rule, message, body.text, reception);
    }
    return NO_RULE;
  });
  return { items, isTaken };
}

function takes(rule: WebhookRule, message: MessageItem): boolean {
  return rule.when.every((condition) => holds(condition, message));
}

function byRule(rule: WebhookRule, message: MessageItem, bodyText: string, reception: Reception): ReadWebhook {
  if (rule.kind === 'event') return eventOrReason(rule, message, bodyText, reception);
  if (rule.kind === 'completes') return unmatched('webhook.unmatched', 'Completing a create is not there yet.');
  const answer = fillAnswer(rule, message);
  if (answer !== undefined) return { kind: 'answer', answer };
  return unmatched('webhook.unmatched', 'The rule answers with a value that does not stand there.');
}

function eventOrReason(rule: EventRule, message: MessageItem, bodyText: string, reception: Reception): ReadItem {
  try {
    return { kind: 'event', event: eventByRule(rule, message, bodyText, reception), rule };
  } catch (error) {
    if (error instanceof SyncError) return unmatched(error.code, error.message);
    throw error;
  }
}

function fillAnswer({ answer: { status, text } }: AnswerRule, message: MessageItem): FilledAnswer | undefined {
  if (text === undefined) return { status, text: '' };
  const filled = fillTemplate(text, message);
  return filled.kind === 'text' ? { status, text: filled.text } : undefined;
}

function tooMany(list: Pointer, length: number): Unmatched {
  const detail = `The list at \`${list.source}\` holds ${String(length)} elements; at most ${String(ELEMENTS_MAX)} are read.`;
  return unmatched('webhook.unmatched', detail);
}

function unmatched(code: Code, reason: string): Unmatched {
  return { kind: 'unmatched', code, reason };
}
