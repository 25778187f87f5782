import type { EntityReference, EventLinks } from './event.js';

interface StoredLinks {
  readonly others: readonly { readonly system: string; readonly external_id: string; readonly raw?: string }[];
  readonly internal_id?: string | undefined;
}

/** The links as they are kept with the event. */
export function writeEventLinks({ others, internalId }: EventLinks): string {
  const stored: StoredLinks = {
    others: others.map(({ system, externalId, rawExternalId }) => ({
      system,
      external_id: externalId,
      ...(rawExternalId === externalId ? {} : { raw: rawExternalId }),
    })),
    internal_id: internalId,
  };
  return JSON.stringify(stored);
}

/** The links of an event about this entity, read back. */
export function readEventLinks(text: string, { type }: Pick<EntityReference, 'type'>): EventLinks {
  const { others, internal_id: internalId } = JSON.parse(text) as StoredLinks;
  return {
    others: others.map(({ system, external_id: externalId, raw }) => ({
      system,
      type,
      externalId,
      rawExternalId: raw ?? externalId,
    })),
    internalId,
  };
}
