import type { Json } from '../json/json.js';

/** What rules read from: a request's body, and the parts of it that a rule may name. */
export interface Message {
  readonly body: Json;
  /** One value for each name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly query: ReadonlyMap<string, string>;
}

/** A webhook that is read: `text` is the JSON that its whole body stands for. */
export interface WebhookBody extends Message {
  readonly text: string;
}

/** A message with the part of it that a rule is held against: the body itself, or one element under `each`. */
export interface MessageItem extends Message {
  readonly item: Json;
  /** What `{hash}` stands for; asked for only where a rule has it. */
  readonly hash: () => string;
}
