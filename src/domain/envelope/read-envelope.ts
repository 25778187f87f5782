import { writePointer } from '../contract/pointer.js';
import { scalarText } from '../contract/template.js';
import { isSafeCorrelationId } from '../correlation-id.js';
import type { ReceivedEvent } from '../event.js';
import { JsonNumber, isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.js';
import { readRetryPassport } from '../retry-passport.js';
import { SyncError } from '../sync-error.js';
import { completeEvent, type Reception } from './complete-event.js';
import type { LinkPart } from './complete-links.js';
import { optionalText, optionalVersion, requiredText } from './read-part.js';

export interface EnvelopeInput {
  readonly envelope: Json;
  /** Source text of the objects that stand under `payload`. */
  readonly payloadSources: ReadonlyMap<JsonObject, string>;
  /** The `Idempotency-Key` header of the request, for a single event. */
  readonly headerKey: string | undefined;
}

const PARTS: ReadonlySet<string> = new Set([
  'idempotency_key',
  'event_type',
  'entity',
  'links',
  'occurred_at',
  'correlation_id',
  'version',
  'state',
  'expected_current_state',
  'payload',
  'retry',
]);
const LINK_PARTS: ReadonlySet<string> = new Set(['system', 'external_id']);
const ENTITY_PARTS: ReadonlySet<string> = new Set(['type', 'external_id', 'internal_id', 'system']);

/**
 * Reads an envelope of the protocol.
 *
 * @throws SyncError with the code of the first part that is missing, unknown or unusable
 */
export function readEnvelope(input: EnvelopeInput, reception: Reception): ReceivedEvent {
  const { envelope } = input;
  if (!isJsonObject(envelope)) throw new SyncError('envelope.invalid', 'An envelope is a JSON object.', { at: '' });
  refuseUnknownParts(envelope);
  const entity = envelope.get('entity');
  if (!isJsonObject(entity)) {
    throw new SyncError('envelope.invalid', '`entity` is an object with `type` and `external_id`.', { at: '/entity' });
  }
  for (const name of entity.keys()) {
    if (!ENTITY_PARTS.has(name)) throw unknownPart(['entity', name]);
  }
  const payload = envelope.get('payload');
  if (!isJsonObject(payload)) throw new SyncError('envelope.invalid', '`payload` is an object.', { at: '/payload' });
  const correlationId = optionalText(envelope, 'correlation_id', '');
  return completeEvent(
    {
      eventType: requiredText(envelope, 'event_type', ''),
      idempotencyKey: readKey(envelope, input.headerKey),
      entityType: requiredText(entity, 'type', '/entity'),
      entitySystem: optionalText(entity, 'system', '/entity'),
      externalId: requiredId(entity.get('external_id'), '/entity/external_id'),
      internalId: optionalText(entity, 'internal_id', '/entity'),
      links: readLinks(envelope.get('links')),
      version: optionalVersion(envelope.get('version'), '/version'),
      occurredAt: optionalText(envelope, 'occurred_at', ''),
      state: optionalText(envelope, 'state', ''),
      expectedState: optionalText(envelope, 'expected_current_state', ''),
      retry: readRetryPassport(envelope.get('retry')),
      payload,
      payloadText: input.payloadSources.get(payload) ?? '',
    },
    isSafeCorrelationId(correlationId) ? { ...reception, correlationId } : reception,
  );
}

function refuseUnknownParts(envelope: JsonObject): void {
  for (const name of envelope.keys()) {
    if (!PARTS.has(name)) throw unknownPart([name]);
  }
}

function unknownPart(steps: readonly string[]): SyncError {
  const at = writePointer(steps);
  return new SyncError('envelope.unknown_part', 'Business data belongs into `payload`.', { at });
}

function readKey(envelope: JsonObject, headerKey: string | undefined): string {
  const inEnvelope = optionalText(envelope, 'idempotency_key', '');
  if (inEnvelope !== undefined && headerKey !== undefined && inEnvelope !== headerKey) {
    const detail = 'The `Idempotency-Key` header and `idempotency_key` differ; send one of them.';
    throw new SyncError('key.invalid', detail, { at: '/idempotency_key' });
  }
  const key = inEnvelope ?? headerKey;
  if (key !== undefined) return key;
  const detail = 'Send the key of the business fact as `idempotency_key` or in the `Idempotency-Key` header.';
  throw new SyncError('key.missing', detail, { at: '/idempotency_key' });
}

function readLinks(value: Json | undefined): readonly LinkPart[] {
  if (value === undefined || value === null) return [];
  if (!isJsonArray(value)) {
    const detail = '`links` is a list of objects with `system` and `external_id`.';
    throw new SyncError('envelope.invalid', detail, { at: '/links' });
  }
  return value.map((link, index) => readLink(link, ['links', String(index)]));
}

function readLink(link: Json, steps: readonly string[]): LinkPart {
  const at = writePointer(steps);
  if (!isJsonObject(link)) {
    throw new SyncError('envelope.invalid', 'A link is an object with `system` and `external_id`.', { at });
  }
  for (const name of link.keys()) {
    if (!LINK_PARTS.has(name)) throw unknownPart([...steps, name]);
  }
  return {
    system: requiredText(link, 'system', at),
    externalId: requiredId(link.get('external_id'), `${at}/external_id`),
  };
}

/** A JSON number and the same digits as text are one id; an object, a list or a boolean is none. */
function requiredId(value: Json | undefined, at: string): string {
  if (typeof value === 'string') return value;
  const text = value instanceof JsonNumber ? scalarText(value) : undefined;
  if (text !== undefined) return text;
  throw new SyncError('id.invalid', '`external_id` is text or a number.', { at });
}
