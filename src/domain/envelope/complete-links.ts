import type { Contract } from '../contract/contract.js';
import type { EntityReference, EventLinks } from '../event.js';
import { normalizeExternalId } from '../external-id.js';
import { parseInternalId } from '../ids.js';
import { quoted } from '../quoted.js';
import { SyncError } from '../sync-error.js';
import type { PartPlaces } from './part-places.js';

/** Another system's id of the same thing, as it was sent. */
export interface LinkPart {
  readonly system: string;
  readonly externalId: string;
}

/** What a sender says about the identity of the thing beside the id that it goes by. */
export interface IdentityParts {
  readonly links?: readonly LinkPart[] | undefined;
  /** Our own id, where the sender kept it with its record. */
  readonly internalId?: string | undefined;
}

/** More than systems have ids of one thing; a list without bound would be a way to make one event very expensive. */
const LINKS_MAX = 100;

/**
 * The links in one order and none twice; a link of an id to itself says nothing and is left out. Undefined where nothing
 * is said.
 *
 * @throws SyncError `envelope.invalid`, `system.unknown` or `id.invalid`
 */
export function completeLinks(
  { links = [], internalId }: IdentityParts,
  entity: EntityReference,
  contract: Contract,
  places: PartPlaces,
): EventLinks | undefined {
  if (links.length > LINKS_MAX) {
    const detail = `An event has at most ${String(LINKS_MAX)} links.`;
    throw new SyncError('envelope.invalid', detail, { at: places.links });
  }
  const read = links.map((link, at) => readLink(link, entity, contract, `${places.links}/${String(at)}`));
  const others = new Map(read.map((link) => [`${link.system}:${link.externalId}`, link]));
  others.delete(`${entity.system}:${entity.externalId}`);
  if (others.size === 0 && internalId === undefined) return undefined;
  return {
    others: [...others].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, link]) => link),
    internalId: internalId === undefined ? undefined : readInternalId(internalId, places),
  };
}

function readLink(link: LinkPart, { type }: EntityReference, contract: Contract, at: string): EntityReference {
  const system = contract.systems.get(link.system);
  if (system === undefined) {
    throw new SyncError('system.unknown', `The contract has no system ${quoted(link.system)}.`, { at: `${at}/system` });
  }
  const id = normalizeExternalId(link.externalId, system.externalIds);
  if (id.kind === 'unusable') {
    throw new SyncError('id.invalid', `The external id ${id.problem}.`, { at: `${at}/external_id` });
  }
  return { system: system.name, type, externalId: id.externalId, rawExternalId: link.externalId };
}

/** What is no id of ours is kept all the same (ADR 15): records made by hand have anything in such a field. */
function readInternalId(text: string, { internalId: at }: PartPlaces): string {
  const id = normalizeExternalId(text, { normalize: ['trim', 'nfc'] });
  if (id.kind === 'unusable') throw new SyncError('id.invalid', `The internal id ${id.problem}.`, { at });
  return parseInternalId(id.externalId) ?? id.externalId;
}
