import { readBinaryCloudEvent, readStructuredCloudEvent } from '../../domain/envelope/read-cloud-event.js';
import type { Reception } from '../../domain/envelope/complete-event.js';
import { CLOUD_EVENT_PLACES, ENVELOPE_PLACES, type PartPlaces } from '../../domain/envelope/part-places.js';
import { readEnvelope } from '../../domain/envelope/read-envelope.js';
import type { ReceivedEvent } from '../../domain/event.js';
import type { Json } from '../../domain/json/json.js';
import { JSON_DEPTH_MAX } from '../../domain/json/read-json.js';
import { SyncError } from '../../domain/sync-error.js';
import type { Incoming } from '../../platform/http/exchange.js';
import { bodyText, cloudEventMode, parseJson } from '../../platform/http/raw-body.js';
import { headerKey } from './reception.js';

/** One event as it was sent: its body is parsed, its parts are not held against the contract yet. */
export interface SentEvent {
  readonly places: PartPlaces;
  /** @throws SyncError with the code of the first part that is missing, unknown or unusable */
  read(reception: Reception): ReceivedEvent;
}

/** Several events in one body. */
export interface SentBatch {
  readonly value: Json;
  readonly places: PartPlaces;
  /** @throws SyncError as for a single event */
  read(item: Json, reception: Reception): ReceivedEvent;
}

/** @throws SyncError `body.…`, or `key.invalid` for an unusable `Idempotency-Key` header */
export function sentEvent(request: Incoming): SentEvent {
  switch (cloudEventMode(request)) {
    case undefined: {
      const { value: envelope, sources: payloadSources } = parseJson(bodyText(request), 'payload');
      const input = { envelope, payloadSources, headerKey: headerKey(request, ENVELOPE_PLACES) };
      return { places: ENVELOPE_PLACES, read: (reception) => readEnvelope(input, reception) };
    }
    case 'structured': {
      const { value: event, sources: dataSources } = parseJson(bodyText(request), 'data');
      const input = { event, dataSources, headerKey: headerKey(request, CLOUD_EVENT_PLACES) };
      return { places: CLOUD_EVENT_PLACES, read: (reception) => readStructuredCloudEvent(input, reception) };
    }
    case 'binary': {
      const dataText = bodyText(request);
      const data = dataText === '' ? undefined : parseJson(dataText).value;
      const headers = request.raw.headersDistinct;
      const input = { headers, data, dataText, headerKey: headerKey(request, CLOUD_EVENT_PLACES) };
      return { places: CLOUD_EVENT_PLACES, read: (reception) => readBinaryCloudEvent(input, reception) };
    }
    case 'batch':
      throw new SyncError('body.media_type', 'This is a batch of CloudEvents; send it to `/v1/events/batch`.');
  }
}

/** The list stands around its events, each of which may be as deep as one that is sent alone. */
const BATCH_DEPTH_MAX = JSON_DEPTH_MAX + 1;

/** @throws SyncError `body.…` */
export function sentBatch(request: Incoming): SentBatch {
  switch (cloudEventMode(request)) {
    case undefined: {
      const { value, sources: payloadSources } = parseJson(bodyText(request), 'payload', BATCH_DEPTH_MAX);
      const read: SentBatch['read'] = (envelope, reception) =>
        readEnvelope({ envelope, payloadSources, headerKey: undefined }, reception);
      return { value, places: ENVELOPE_PLACES, read };
    }
    case 'batch': {
      const { value, sources: dataSources } = parseJson(bodyText(request), 'data', BATCH_DEPTH_MAX);
      const read: SentBatch['read'] = (event, reception) =>
        readStructuredCloudEvent({ event, dataSources, headerKey: undefined }, reception);
      return { value, places: CLOUD_EVENT_PLACES, read };
    }
    case 'structured':
    case 'binary':
      throw new SyncError(
        'body.media_type',
        'This is a single CloudEvent; send it to `/v1/events`, or a batch as `application/cloudevents-batch+json`.',
      );
  }
}
