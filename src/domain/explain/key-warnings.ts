import type { EventRule, EventType, IngestAuth } from '../contract/contract.js';
import { isSamePlace, type Selector } from '../contract/selector.js';
import { selectorsOf, type Template } from '../contract/template.js';
import type { ReceivedEvent } from '../event.js';
import { formatInstant } from '../instant.js';

/** What may be wrong with an idempotency key; nobody can be sure of it by looking at one payload. */
export interface KeyWarning {
  readonly kind:
    /** Different facts share it: all but the first would be conflicts. */
    | 'too_coarse'
    /** One fact has several: each copy would be applied. */
    | 'too_fine'
    /** A time is part of it. */
    | 'time_stamp'
    /** The id of a message, and not of a fact, is part of it. */
    | 'message_id'
    /** A part of it is not covered by the sender's signature. */
    | 'not_signed';
  readonly message: string;
}

const TIME_NAME =
  /(?:^|[_./-])(?:at|on|time|timestamp|date|datetime|ts)(?:_?(?:gmt|utc|ms))?$|(?:At|Time|Date|Timestamp)$/i;
const MESSAGE_NAME =
  /(?:delivery|message|event|request|notification|webhook|trace|correlation|attempt)[-_]?(?:id|guid|uuid)$/i;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DIGEST = /^[0-9a-f]{40,128}$/i;

/** A part of a key: its text, and where it was taken from if a rule says so. */
interface KeyPart {
  readonly text: string;
  readonly place: Selector | undefined;
}

/**
 * Looks at how a key is made. `rule` is the one that made it; without one the sender did, and only the key's text can
 * be looked at.
 */
export function keyWarnings(
  event: Pick<ReceivedEvent, 'idempotencyKey' | 'version' | 'occurredAtMicros' | 'entity'>,
  eventType: EventType,
  rule?: EventRule,
): readonly KeyWarning[] {
  const parts = partsOf(event.idempotencyKey, rule?.idempotencyKey);
  const ordering = orderPlaces(rule);
  const isOrder = ({ place, text }: KeyPart): boolean =>
    place === undefined ? isOrderText(text, event) : ordering.some((order) => isSamePlace(order, place));
  const isDigest = ({ place, text }: KeyPart): boolean =>
    place === undefined ? DIGEST.test(text) : place.kind === 'hash';
  const times = parts.filter(isTime);
  const messages = parts.filter((part) => isMessageId(part, event.entity.externalId));
  const hasDigest = parts.some(isDigest);
  return [
    ...times.flatMap((part) => aboutTime(part, isOrder(part), hasDigest)),
    ...messages.map(aboutMessage),
    ...(isChange(eventType) && !parts.some(isOrder) && !hasDigest && messages.length === 0 ? [aboutCoarse(rule)] : []),
  ];
}

/**
 * Looks at whether a signature covers what the key is made of: whoever overhears a request could send its body again
 * under another key as long as its time is good. Where the sender also may show a secret, that is its own affair.
 */
export function coverageWarnings({ idempotencyKey }: EventRule, auth: readonly IngestAuth[]): readonly KeyWarning[] {
  const signatures = auth.filter((scheme) => scheme.scheme === 'signature');
  if (signatures.length === 0 || signatures.length < auth.length) return [];
  const isCovered = (place: Selector): boolean =>
    signatures.every(({ signed }) =>
      signed.some((part) =>
        place.kind === 'header'
          ? part.kind === 'header' && part.name === place.name
          : place.kind !== 'query' || part.kind === 'url',
      ),
    );
  return selectorsOf(idempotencyKey)
    .filter((place) => !isCovered(place))
    .map((place) => ({
      kind: 'not_signed',
      message: `\`{${place.source}}\` is not covered by the signature: one who overhears a request could send it again under another key`,
    }));
}

/** The holes of a template. A key that came whole was made by the sender, and its text is looked at instead. */
function partsOf(key: string, template: Template | undefined): readonly KeyPart[] {
  const holes = template === undefined ? [] : selectorsOf(template).map((place) => ({ text: key, place }));
  const [only] = holes;
  const cameWhole = template === undefined || (template.parts.length === 1 && only !== undefined && saysNothing(only));
  if (!cameWhole) return holes;
  return key.split(':').map((part) => ({ text: part.replaceAll('%3A', ':').replaceAll('%25', '%'), place: undefined }));
}

function saysNothing({ place: { source } }: { readonly place: Selector }): boolean {
  return !TIME_NAME.test(source) && !MESSAGE_NAME.test(source);
}

function orderPlaces(rule: EventRule | undefined): readonly Selector[] {
  return [rule?.version, rule?.occurredAt?.from].flatMap((template) =>
    template === undefined ? [] : selectorsOf(template),
  );
}

function isOrderText(
  text: string,
  { version, occurredAtMicros }: Pick<ReceivedEvent, 'version' | 'occurredAtMicros'>,
): boolean {
  if (version !== undefined && (text === version || text === `v${version}`)) return true;
  return occurredAtMicros !== undefined && text.slice(0, 19) === formatInstant(occurredAtMicros).slice(0, 19);
}

function isTime({ text, place }: KeyPart): boolean {
  if (place !== undefined) return TIME_NAME.test(place.source);
  if (DATE_TIME.test(text)) return true;
  // Seconds or milliseconds since 1970, from 2001 to 2033.
  return /^1\d{9}(?:\d{3})?$/.test(text);
}

function isMessageId({ text, place }: KeyPart, externalId: string): boolean {
  return place === undefined ? UUID.test(text) && text !== externalId : MESSAGE_NAME.test(place.source);
}

/** Whether later events of this type change the record again. */
function isChange({ strategy, operation }: EventType): boolean {
  return strategy !== 'ignore' && operation !== 'delete';
}

function aboutTime(part: KeyPart, isOrder: boolean, hasDigest: boolean): readonly KeyWarning[] {
  if (!isOrder) {
    const message = `${named(part)} looks like a time: if it is that of sending, every copy would be a new fact`;
    return [{ kind: 'time_stamp', message }];
  }
  if (hasDigest) return [];
  const message = `${named(part)} is a time: two changes in one tick of the sender’s clock would share the key`;
  return [{ kind: 'time_stamp', message: `${message}; \`{hash}\` beside it tells them apart` }];
}

function aboutMessage(part: KeyPart): KeyWarning {
  const message = `${named(part)} looks like the id of a message: if a resent one gets a new id, every copy would be a new fact`;
  return { kind: 'message_id', message };
}

function aboutCoarse(rule: EventRule | undefined): KeyWarning {
  const remedy =
    rule === undefined ? 'add the record’s version' : 'put the place of `version` or `occurred_at` into it';
  const message = `nothing in the key tells one change of a record from the next, which would be a conflict; ${remedy}`;
  return { kind: 'too_coarse', message };
}

function named({ text, place }: KeyPart): string {
  return `\`${place === undefined ? text : `{${place.source}}`}\``;
}
