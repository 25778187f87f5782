import { editedKey } from '../../domain/business-key.js';
import type { Reception } from '../../domain/envelope/complete-event.js';
import { readEnvelope } from '../../domain/envelope/read-envelope.js';
import { readEventLinks } from '../../domain/event-links.js';
import type { ReceivedEvent } from '../../domain/event.js';
import { diffJson, type JsonChange } from '../../domain/json/diff-json.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json/json.js';
import { readJson, type ReadJson } from '../../domain/json/read-json.js';
import { SyncError } from '../../domain/sync-error.js';
import type { AcceptedEvent } from '../../flow/inbox/accepted-event.js';
import { RawJson, renderJson } from '../../platform/http/render-json.js';

/** Parts of the envelope that an edit may replace; null takes one away. Another type or key would be another fact. */
const EDITABLE = ['payload', 'version', 'occurred_at', 'links', 'state', 'expected_current_state', 'retry'] as const;
const EDITABLE_OF_ENTITY = ['external_id', 'internal_id'] as const;

/** What an edit makes of an event that could not be processed. */
export interface Edit {
  readonly event: ReceivedEvent;
  /** Against the envelope as it was, but for the key. */
  readonly changes: readonly JsonChange[];
}

/**
 * Puts the edited parts into the envelope of the dead event and reads that as the door would.
 *
 * @param edited the body of the request, with the sources of its `payload`
 * @throws SyncError of the door for a part that is unusable; `request.invalid` when nothing is changed
 */
export function readEdit(dead: AcceptedEvent, edited: ReadJson, reception: Reception): Edit {
  const { value: before, sources } = envelopeOf(dead);
  const after = overlaid(before, edited.value);
  const changes = diffJson(before, after);
  if (changes.length === 0) throw new SyncError('request.invalid', 'The edit changes nothing; replay it instead.');
  const envelope = new Map(after).set('idempotency_key', editedKey(dead.idempotency_key));
  const payloadSources = new Map([...sources, ...edited.sources]);
  return { event: readEnvelope({ envelope, payloadSources, headerKey: undefined }, reception), changes };
}

function envelopeOf(event: AcceptedEvent): { readonly value: JsonObject; readonly sources: ReadJson['sources'] } {
  const { entity_type: type, links: stored } = event;
  const said = stored === null || type === null ? undefined : readEventLinks(stored, { type });
  const text = renderJson({
    event_type: event.event_type,
    entity: { type, external_id: event.raw_external_id, system: event.system, internal_id: said?.internalId },
    links: said?.others.map(({ system, rawExternalId }) => ({ system, external_id: rawExternalId })),
    version: event.version ?? undefined,
    occurred_at: event.occurred_at ?? undefined,
    state: event.state ?? undefined,
    expected_current_state: event.expected_state ?? undefined,
    retry: event.retry === null ? undefined : new RawJson(event.retry),
    payload: new RawJson(event.payload),
  });
  const { value, sources } = readJson(text, 'payload');
  if (!isJsonObject(value)) throw new Error('An envelope is an object.');
  return { value, sources };
}

function overlaid(before: JsonObject, edited: Json): JsonObject {
  if (!isJsonObject(edited)) throw new SyncError('request.invalid', 'The body is a JSON object.');
  const after = new Map(before);
  for (const name of EDITABLE) replace(after, name, edited.get(name));
  const entity = edited.get('entity');
  if (entity === undefined) return after;
  if (!isJsonObject(entity)) throw new SyncError('envelope.invalid', '`entity` is an object.', { at: '/entity' });
  const held = before.get('entity');
  const changed = new Map(isJsonObject(held) ? held : []);
  for (const name of entity.keys()) {
    if (EDITABLE_OF_ENTITY.some((editable) => editable === name)) continue;
    const detail = 'Of `entity` only `external_id` and `internal_id` can be edited; anything else is another fact.';
    throw new SyncError('request.invalid', detail);
  }
  for (const name of EDITABLE_OF_ENTITY) replace(changed, name, entity.get(name));
  return after.set('entity', changed);
}

function replace(envelope: Map<string, Json>, name: string, value: Json | undefined): void {
  if (value === null) envelope.delete(name);
  else if (value !== undefined) envelope.set(name, value);
}
