import type { WebhookBody } from '../contract/message.js';
import type { Reception } from '../envelope/complete-event.js';
import { readEnvelope, type EnvelopeInput } from '../envelope/read-envelope.js';
import { readWebhook, type ReadItem } from '../envelope/read-webhook.js';
import type { ReceivedEvent } from '../event.js';
import { SyncError, type Code } from '../sync-error.js';
import { explainEvent, type Explanation } from './explain-event.js';

/** A webhook, or an envelope that goes to `POST /v1/events`. */
export type Payload =
  | { readonly kind: 'webhook'; readonly body: WebhookBody }
  | { readonly kind: 'envelope'; readonly input: EnvelopeInput };

/** What one event of a payload would be, or why it would be none. */
export type ExplainedPayload =
  | { readonly kind: 'event'; readonly event: ReceivedEvent; readonly explanation: Explanation }
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  | {
      readonly kind: 'refused' | 'unmatched';
      readonly code: Code;
      readonly detail: string;
      readonly at?: string;
    };

/** One for each event in the payload, by the contract alone. */
export function explainPayload(payload: Payload, reception: Reception): readonly ExplainedPayload[] {
  if (payload.kind === 'envelope') return [explainEnvelope(payload.input, reception)];
  const read = readWebhook(payload.body, reception);
  if (read.kind === 'answer') return [{ kind: 'answered', ...read.answer }];
  const items = read.kind === 'each' ? read.items : [read];
  return items.map((item) => explainItem(item, reception));
}

function explainEnvelope(input: EnvelopeInput, reception: Reception): ExplainedPayload {
  try {
    const event = readEnvelope(input, reception);
    return { kind: 'event', event, explanation: explainEvent(event, reception.contract) };
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const { code, message: detail, at } = error;
    return { kind: 'refused', code, detail, ...(at === undefined ? {} : { at }) };
  }
}

function explainItem(item: ReadItem, { contract }: Reception): ExplainedPayload {
  if (item.kind === 'unmatched') return { kind: 'unmatched', code: item.code, detail: item.reason };
  return { kind: 'event', event: item.event, explanation: explainEvent(item.event, contract, item.rule) };
}
