/** Where the parts of an event stand in what was sent, as JSON Pointers: errors name parts in the sender's own terms. */
export interface PartPlaces {
  readonly eventType: string;
  readonly idempotencyKey: string;
  readonly entityType: string;
  readonly entitySystem: string;
  readonly externalId: string;
  readonly internalId: string;
  readonly links: string;
  readonly version: string;
  readonly occurredAt: string;
  readonly state: string;
  readonly expectedState: string;
  readonly payload: string;
}

export const ENVELOPE_PLACES: PartPlaces = {
  eventType: '/event_type',
  idempotencyKey: '/idempotency_key',
  entityType: '/entity/type',
  entitySystem: '/entity/system',
  externalId: '/entity/external_id',
  internalId: '/entity/internal_id',
  links: '/links',
  version: '/version',
  occurredAt: '/occurred_at',
  state: '/state',
  expectedState: '/expected_current_state',
  payload: '/payload',
};

/** Attributes by their names in the JSON format, also where they came as headers. */
export const CLOUD_EVENT_PLACES: PartPlaces = {
  eventType: '/type',
  idempotencyKey: '/idempotencykey',
  entityType: '/entitytype',
  entitySystem: '/entitysystem',
  externalId: '/subject',
  // Not read in this form; see `UNSUPPORTED` in read-cloud-event.ts.
  internalId: '/internalid',
  links: '/links',
  version: '/entityversion',
  occurredAt: '/time',
  state: '/state',
  expectedState: '/expectedcurrentstate',
  payload: '/data',
};
