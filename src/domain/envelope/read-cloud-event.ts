import { writePointer } from '../contract/pointer.js';
import type { Contract } from '../contract/contract.js';
import { isSafeCorrelationId } from '../correlation-id.js';
import type { ReceivedEvent } from '../event.js';
import { isJsonObject, type Json, type JsonObject } from '../json/json.js';
import { quoted } from '../quoted.js';
import { readRetryExtensions } from '../retry-passport.js';
import { SyncError } from '../sync-error.js';
import { parseTraceparent } from '../traceparent.js';
import { completeEvent, type Reception } from './complete-event.js';
import { CLOUD_EVENT_PLACES } from './part-places.js';
import { optionalText, optionalVersion, requiredText } from './read-part.js';

/** A CloudEvent in the JSON format: the body of a request in structured mode, or one item of a batch. */
export interface StructuredCloudEvent {
  readonly event: Json;
  /** Source text of the objects that stand under `data`. */
  readonly dataSources: ReadonlyMap<JsonObject, string>;
  /** The `Idempotency-Key` header of the request, for a single event. */
  readonly headerKey: string | undefined;
}

/** A CloudEvent in binary mode: attributes in headers, data in the body. */
export interface BinaryCloudEvent {
  /** All headers of the request by their lower-case names, line by line, one character for each byte. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  /** The body, if there is one. */
  readonly data: Json | undefined;
  readonly dataText: string;
  readonly headerKey: string | undefined;
}

/**
 * Reads a CloudEvent 1.0 in the JSON format. Which attribute becomes which part of our event is decided in ADR 12.
 *
 * @throws SyncError with the code of the first attribute that is missing or unusable
 */
export function readStructuredCloudEvent(input: StructuredCloudEvent, reception: Reception): ReceivedEvent {
  const { event } = input;
  if (!isJsonObject(event)) throw new SyncError('envelope.invalid', 'A CloudEvent is a JSON object.', { at: '' });
  checkSpecversion(event);
  if ((event.get('data_base64') ?? null) !== null) {
    const detail = '`data_base64` is not read; send the business data as a JSON object in `data`.';
    throw new SyncError('envelope.unsupported_part', detail, { at: '/data_base64' });
  }
  for (const name of event.keys()) {
    if (name !== 'data' && name !== 'data_base64') checkName(name, event);
  }
  const data = event.get('data');
  const dataText = isJsonObject(data) ? (input.dataSources.get(data) ?? '') : '';
  return readAttributes(event, { data, dataText, headerKey: input.headerKey }, reception);
}

/**
 * Reads a CloudEvent 1.0 in binary mode (HTTP binding §3.1).
 *
 * @throws SyncError with the code of the first attribute that is missing or unusable
 */
export function readBinaryCloudEvent(input: BinaryCloudEvent, reception: Reception): ReceivedEvent {
  const attributes = new Map<string, string>();
  for (const [header, lines = []] of Object.entries(input.headers)) {
    if (header.startsWith(HEADER_PREFIX)) attributes.set(header.slice(HEADER_PREFIX.length), readHeader(header, lines));
  }
  checkSpecversion(attributes);
  for (const name of attributes.keys()) checkName(name, attributes);
  return readAttributes(attributes, { ...input, dataText: input.dataText.trim() }, reception);
}

const HEADER_PREFIX = 'ce-';
/** CloudEvents 1.0 §"Naming conventions"; `data` is the name of the event's data and no attribute's. */
const ATTRIBUTE_NAME = /^(?!data$)[a-z0-9]+$/;
/** Words of our protocol that nothing acts on yet: taking them in silence would be a broken promise. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['links', 'retry']);
const JSON_MEDIA_TYPE = /^\s*(application\/json|application\/[\w.+-]+\+json|text\/json)\s*(;|$)/i;

interface Content {
  readonly data: Json | undefined;
  readonly dataText: string;
  readonly headerKey: string | undefined;
}

function readAttributes(attributes: JsonObject, content: Content, reception: Reception): ReceivedEvent {
  const eventType = filledText(attributes, 'type');
  // What makes a CloudEvent one. Neither says anything to us: an id may change with every emission of a fact, and
  // whose event it is was proved by a credential.
  filledText(attributes, 'id');
  filledText(attributes, 'source');
  return completeEvent(
    {
      eventType,
      idempotencyKey: readKey(attributes, content.headerKey),
      entityType: readEntityType(attributes, eventType, reception.contract),
      entitySystem: optionalText(attributes, 'entitysystem', ''),
      externalId: readSubject(attributes),
      version: optionalVersion(attributes.get('entityversion'), CLOUD_EVENT_PLACES.version),
      occurredAt: optionalText(attributes, 'time', ''),
      state: readState(attributes, eventType, reception.contract),
      expectedState: optionalText(attributes, 'expectedcurrentstate', ''),
      retry: readRetryExtensions(attributes),
      payload: readData(attributes, content.data),
      payloadText: content.dataText,
    },
    continued(attributes, reception),
    CLOUD_EVENT_PLACES,
  );
}

function checkSpecversion(attributes: JsonObject): void {
  const specversion = requiredText(attributes, 'specversion', '');
  if (specversion === '1.0') return;
  const detail = `CloudEvents are read in version 1.0, not ${quoted(specversion)}.`;
  throw new SyncError('envelope.invalid', detail, { at: '/specversion' });
}

/** Extensions that we do not know pass: they are words between others, often added by a broker on the way (ADR 12). */
function checkName(name: string, attributes: JsonObject): void {
  const at = writePointer([name]);
  if (!ATTRIBUTE_NAME.test(name)) {
    const detail =
      'Names of CloudEvents attributes are lower-case letters and digits; business data belongs into `data`.';
    throw new SyncError('envelope.unknown_part', detail, { at });
  }
  if (!UNSUPPORTED.has(name) || attributes.get(name) === null) return;
  const detail = `\`${name}\` is not acted on yet, so an event that needs it is refused.`;
  throw new SyncError('envelope.unsupported_part', detail, { at });
}

function filledText(attributes: JsonObject, name: string): string {
  const text = requiredText(attributes, name, '');
  if (text !== '') return text;
  throw new SyncError('envelope.invalid', `\`${name}\` is empty.`, { at: `/${name}` });
}

function readKey(attributes: JsonObject, headerKey: string | undefined): string {
  const at = CLOUD_EVENT_PLACES.idempotencyKey;
  const extension = optionalText(attributes, 'idempotencykey', '');
  if (extension !== undefined && headerKey !== undefined && extension !== headerKey) {
    const detail = 'The `Idempotency-Key` header and the extension `idempotencykey` differ; send one of them.';
    throw new SyncError('key.invalid', detail, { at });
  }
  const key = extension ?? headerKey;
  if (key !== undefined) return key;
  const detail =
    'Send the key of the business fact in the extension `idempotencykey`, or for a single event in the ' +
    '`Idempotency-Key` header; `id` is no such key, because it may change when a fact is sent again.';
  throw new SyncError('key.missing', detail, { at });
}

/** An event type about one entity type needs no word about it; where the contract says `*`, the event says it. */
function readEntityType(attributes: JsonObject, eventType: string, contract: Contract): string {
  const said = optionalText(attributes, 'entitytype', '');
  if (said !== undefined) return said;
  // An event type that the contract does not know is refused later, before anybody asks what it is about.
  const declared = contract.eventTypes.get(eventType)?.entity ?? '';
  if (declared !== '*') return declared;
  const detail = `${quoted(eventType)} may be about any entity type; name it in the extension \`entitytype\`.`;
  throw new SyncError('envelope.invalid', detail, { at: CLOUD_EVENT_PLACES.entityType });
}

/** Elsewhere `state` is an extension like any other, which may be meant for somebody else. */
function readState(attributes: JsonObject, eventType: string, contract: Contract): string | undefined {
  const isNamed = contract.eventTypes.get(eventType)?.transition?.kind === 'named';
  return isNamed ? optionalText(attributes, 'state', '') : undefined;
}

function readSubject(attributes: JsonObject): string {
  const subject = attributes.get('subject');
  if (typeof subject === 'string') return subject;
  const detail = 'Send the id of the record as `subject`; it is text.';
  throw new SyncError('id.invalid', detail, { at: CLOUD_EVENT_PLACES.externalId });
}

function readData(attributes: JsonObject, data: Json | undefined): JsonObject {
  const mediaType = optionalText(attributes, 'datacontenttype', '');
  if (mediaType !== undefined && !JSON_MEDIA_TYPE.test(mediaType)) {
    const detail = `The data of an event is JSON; ${quoted(mediaType)} is not read.`;
    throw new SyncError('envelope.invalid', detail, { at: '/datacontenttype' });
  }
  if (isJsonObject(data)) return data;
  const detail = 'The data of an event is a JSON object.';
  throw new SyncError('envelope.invalid', detail, { at: CLOUD_EVENT_PLACES.payload });
}

/** The process and the trace that the event itself belongs to come before those of the request that carries it. */
function continued(attributes: JsonObject, reception: Reception): Reception {
  const correlationId = optionalText(attributes, 'correlationid', '');
  const traceparent = optionalText(attributes, 'traceparent', '');
  return {
    ...reception,
    ...(isSafeCorrelationId(correlationId) ? { correlationId } : {}),
    ...(parseTraceparent(traceparent) === undefined ? {} : { traceparent }),
  };
}

/** HTTP binding §3.1.3.2: an outer quoted string is undone, then one round of percent-encoding, which holds UTF-8. */
function readHeader(header: string, [line = '', ...others]: readonly string[]): string {
  const at = writePointer([header.slice(HEADER_PREFIX.length)]);
  if (others.length > 0) throw new SyncError('envelope.invalid', `The header \`${header}\` stands twice.`, { at });
  const unquoted = /^"(?:[^"\\]|\\.)*"$/.test(line) ? line.slice(1, -1).replace(/\\(.)/g, '$1') : line;
  if (/%(?![0-9a-f]{2})/i.test(unquoted)) {
    const detail = `A \`%\` in the header \`${header}\` encodes no byte; a percent sign itself is sent as \`%25\`.`;
    throw new SyncError('envelope.invalid', detail, { at });
  }
  const byteText = unquoted.replace(/%(..)/g, (_sequence, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const bytes = Buffer.from(byteText, 'latin1');
  const text = bytes.toString('utf8');
  // What is no UTF-8 becomes replacement characters, and these are other bytes.
  if (Buffer.from(text).equals(bytes)) return text;
  throw new SyncError('envelope.invalid', `The header \`${header}\` is not UTF-8.`, { at });
}
