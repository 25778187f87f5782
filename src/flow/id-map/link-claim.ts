import type { EntityReference } from '../../domain/event.js';
import type { InternalId } from '../../domain/ids.js';

/** What one event says about the identity of its entity beside the id that it goes by. */
export interface LinkClaim {
  /** The id that the event goes by. */
  readonly entity: EntityReference;
  readonly links: readonly ClaimedLink[];
}

/** Another system's id of the same thing, or our own. */
export type ClaimedLink = (
  | { readonly kind: 'external'; readonly id: EntityReference }
  /** As it was written; it may be no id of ours. */
  | { readonly kind: 'internal'; readonly internalId: string }
) & {
  /** Whether the sender may tie these two ids. */
  readonly isAllowed: boolean;
};

/** A link that was not made. Nothing was overwritten; which claim is right is for a person to say. */
export interface RivalLink {
  readonly claim: LinkClaim;
  readonly link: ClaimedLink;
  /** The entity that the event is about. */
  readonly internalId: InternalId;
  readonly reason: RivalReason;
  /** What holds the id, or the entity's place; absent where nothing does. */
  readonly holder?: { readonly system: string; readonly externalId: string; readonly internalId: InternalId };
}

/**
 * `not_allowed`: the sender may not tie these ids. `id_taken`: the id belongs to another entity. `place_taken`: the entity
 * has another primary id in that system. `several`: the event gives one entity several new ids in one system.
 * `unknown_internal_id`: we have no such entity of this type.
 */
export type RivalReason = 'not_allowed' | 'id_taken' | 'place_taken' | 'several' | 'unknown_internal_id';
