import { composeKey } from '../../domain/business-key.js';
import type { EntityReference } from '../../domain/event.js';
import { parseInternalId, type InternalId } from '../../domain/ids.js';
import type { ClaimedLink, LinkClaim, RivalLink, RivalReason } from './link-claim.js';

/** What the map held when it was looked at. */
export interface HeldMap {
  /** By `identityKey`. */
  readonly known: ReadonlyMap<string, InternalId>;
  /** Primary places of the entities that claims may lead to, by `placeKey`; null is a pending create. */
  readonly places: ReadonlyMap<string, string | null>;
  /** The type of each of these entities. */
  readonly entityTypes: ReadonlyMap<InternalId, string>;
}

/** An id and the entity that it shall belong to. */
export interface Binding {
  readonly id: EntityReference;
  readonly internalId: InternalId;
}

export interface IdentityPlan {
  /** Every id that was asked for, by `identityKey`. */
  readonly identities: ReadonlyMap<string, InternalId>;
  /** Into places that are free. */
  readonly newMappings: readonly (Binding & { readonly origin: 'seen' | 'linked' })[];
  /** Into places that are reserved for a create of ours: the id that it waits for has come from outside. */
  readonly endedCreates: readonly Binding[];
  readonly rivals: readonly RivalLink[];
}

/**
 * Decides which id belongs to which entity. Nothing is ever moved, and nothing is guessed: an id of an event that is
 * unknown goes to the entity that its links lead to, where they all lead to one whose place is free, and to a new one
 * otherwise; links that contradict the map or each other are rivals. Events with links come first, so that one batch
 * does not make two entities of what one of its events says is one.
 */
export function planIdentities(
  wanted: readonly EntityReference[],
  claims: readonly LinkClaim[],
  held: HeldMap,
  newInternalId: () => InternalId,
): IdentityPlan {
  const plan = new Plan(held, newInternalId);
  for (const claim of claims) plan.settle(claim);
  for (const id of wanted) plan.identify(id);
  return plan;
}

export function identityKey({ system, type, externalId }: EntityReference): string {
  return composeKey([system, type, externalId]);
}

export function placeKey(internalId: InternalId, system: string): string {
  return composeKey([internalId, system]);
}

class Plan implements IdentityPlan {
  readonly identities: Map<string, InternalId>;
  readonly newMappings: IdentityPlan['newMappings'][number][] = [];
  readonly endedCreates: Binding[] = [];
  readonly rivals: RivalLink[] = [];
  private readonly places: Map<string, string | null>;

  constructor(
    private readonly held: HeldMap,
    private readonly newInternalId: () => InternalId,
  ) {
    this.identities = new Map(held.known);
    this.places = new Map(held.places);
  }

  /** The entity of an id that nobody links to anything; unknown, it gets one of its own. */
  identify(id: EntityReference): void {
    if (!this.identities.has(identityKey(id))) this.bind(id, this.newInternalId(), 'seen');
  }

  settle(claim: LinkClaim): void {
    const internalId = this.entityOf(claim);
    const severalIn = this.systemsWithSeveralNewIds(claim);
    for (const link of claim.links) {
      const rival = link.kind === 'internal' ? this.denial(claim, link, internalId) : undefined;
      if (rival !== undefined) this.rivals.push({ claim, link, internalId, ...rival });
      if (link.kind === 'external') this.settleLink(claim, link, internalId, severalIn);
    }
  }

  private settleLink(
    claim: LinkClaim,
    link: ClaimedLink & { readonly kind: 'external' },
    internalId: InternalId,
    severalIn: ReadonlySet<string>,
  ): void {
    const { id, isAllowed } = link;
    const holder = this.identities.get(identityKey(id));
    if (holder === internalId) return;
    const deny = (reason: RivalReason, by?: RivalLink['holder']): void => {
      this.rivals.push({ claim, link, internalId, reason, ...(by && { holder: by }) });
    };
    const byId = holder && { system: id.system, externalId: id.externalId, internalId: holder };
    if (!isAllowed) return deny('not_allowed', byId);
    if (byId !== undefined) return deny('id_taken', byId);
    const held = this.places.get(placeKey(internalId, id.system));
    if (typeof held === 'string') return deny('place_taken', { system: id.system, externalId: held, internalId });
    if (severalIn.has(id.system)) return deny('several');
    this.bind(id, internalId, 'linked');
  }

  /** Why our own id, as the event names it, is not the entity's; undefined where it is. */
  private denial(
    { entity }: LinkClaim,
    link: ClaimedLink & { readonly kind: 'internal' },
    internalId: InternalId,
  ): Pick<RivalLink, 'reason' | 'holder'> | undefined {
    const { system, externalId } = entity;
    const claimed = this.claimedEntity(link.internalId, entity);
    if (claimed === internalId) return undefined;
    const byId = { system, externalId, internalId };
    if (!link.isAllowed) return { reason: 'not_allowed', holder: byId };
    if (claimed === undefined) return { reason: 'unknown_internal_id', holder: byId };
    const held = this.places.get(placeKey(claimed, system));
    return typeof held === 'string'
      ? { reason: 'place_taken', holder: { system, externalId: held, internalId: claimed } }
      : { reason: 'id_taken', holder: byId };
  }

  /** The entity that the event is about. */
  private entityOf({ entity, links }: LinkClaim): InternalId {
    const known = this.identities.get(identityKey(entity));
    if (known !== undefined) return known;
    const named = new Set(links.flatMap((link) => (link.isAllowed ? (this.holderOf(link, entity) ?? []) : [])));
    const [only] = named;
    const isFree = only !== undefined && typeof this.places.get(placeKey(only, entity.system)) !== 'string';
    const isLinked = isFree && named.size === 1;
    const internalId = isLinked ? only : this.newInternalId();
    this.bind(entity, internalId, isLinked ? 'linked' : 'seen');
    return internalId;
  }

  private holderOf(link: ClaimedLink, entity: EntityReference): InternalId | undefined {
    return link.kind === 'external'
      ? this.identities.get(identityKey(link.id))
      : this.claimedEntity(link.internalId, entity);
  }

  private claimedEntity(text: string, { type }: EntityReference): InternalId | undefined {
    const internalId = parseInternalId(text);
    return internalId !== undefined && this.held.entityTypes.get(internalId) === type ? internalId : undefined;
  }

  private systemsWithSeveralNewIds({ links }: LinkClaim): ReadonlySet<string> {
    const systems = links.flatMap((link) =>
      link.kind === 'external' && link.isAllowed && !this.identities.has(identityKey(link.id)) ? link.id.system : [],
    );
    return new Set(systems.filter((system, at) => systems.indexOf(system) !== at));
  }

  private bind(id: EntityReference, internalId: InternalId, origin: 'seen' | 'linked'): void {
    const place = placeKey(internalId, id.system);
    if (this.places.get(place) === null) this.endedCreates.push({ id, internalId });
    else this.newMappings.push({ id, internalId, origin });
    this.places.set(place, id.externalId);
    this.identities.set(identityKey(id), internalId);
  }
}
