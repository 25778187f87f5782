import { Inject, Injectable } from '@nestjs/common';
import type { Contract } from '../../domain/contract/contract.js';
import type { ReferencesByRule } from '../../domain/references.js';
import type { InternalId } from '../../domain/ids.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import type { Tx } from '../../platform/database/database.js';
import { IdMapService, type Identities } from '../id-map/id-map.service.js';
import type { LinkClaim, RivalLink } from '../id-map/link-claim.js';
import type { ToldEvent } from './decide-event.js';
import type { NamedReferences } from './decide-references.js';
import { referencesOf } from './event-references.js';
import type { EventToProcess } from './event-to-process.js';

/** An event with everybody whom it names. */
export interface ResolvedEvent extends ToldEvent {
  readonly internalId: InternalId;
  /** Its links that were not made. */
  readonly rivals: readonly RivalLink[];
  /** Systems that its links say the entity's id in, where a create of ours was pending. */
  readonly endedCreates: readonly string[];
  /** Ids may have been bound for its sake. */
  readonly mayHaveBound: boolean;
}

export interface Resolution extends Pick<Identities, 'landed' | 'newEntities'> {
  readonly byEvent: ReadonlyMap<EventToProcess, ResolvedEvent>;
}

/** External ids become internal ids: of what the events are about, of what they link it to and of what it refers to. */
@Injectable()
export class ResolveEvents {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly idMap: IdMapService,
  ) {}

  /** All of it at once, so that locks are taken in one order. */
  async resolve(tx: Tx, events: readonly EventToProcess[]): Promise<Resolution> {
    const named = events.map((event) => ({
      event,
      claim: linkClaimOf(event, this.contract),
      references: referencesOf(event, this.contract),
    }));
    const referred = named.flatMap(({ references }) =>
      references.flatMap(({ found }) => found.map(({ entity }) => entity)),
    );
    const entities = [...events.map(({ entity }) => entity), ...referred];
    const claims = named.flatMap(({ claim }) => claim ?? []);
    const identities = await this.idMap.resolve(tx, entities, claims);
    const { landed, newEntities } = identities;
    const resolved = named.map(({ event, claim, references }): [EventToProcess, ResolvedEvent] => {
      const internalId = identities.of(event.entity);
      return [
        event,
        {
          event,
          internalId,
          endedCreates: claim === undefined ? [] : endedCreatesOf(internalId, identities),
          named: namedBy(references, identities),
          rivals: claim === undefined ? [] : identities.rivals.filter((rival) => rival.claim === claim),
          mayHaveBound: claim !== undefined || references.length > 0 || newEntities.has(internalId),
        },
      ];
    });
    return { byEvent: new Map(resolved), landed, newEntities };
  }

  /** The entities that events would be about, as far as they are known; nothing is bound. */
  async foresee(
    tx: Tx,
    events: readonly EventToProcess[],
  ): Promise<ReadonlyMap<EventToProcess, { readonly internalId: InternalId }>> {
    const foreseen = new Map<EventToProcess, { readonly internalId: InternalId }>();
    for (const event of events) {
      const internalId = await this.idMap.foresee(tx, event.entity, linkClaimOf(event, this.contract));
      if (internalId !== undefined) foreseen.set(event, { internalId });
    }
    return foreseen;
  }
}

function endedCreatesOf(entity: InternalId, { endedCreates }: Identities): readonly string[] {
  return endedCreates.flatMap(({ internalId, id }) => (internalId === entity ? id.system : []));
}

function namedBy(references: readonly ReferencesByRule[], identities: Identities): NamedReferences {
  return new Map(
    references.map(({ rule, found }) => [
      rule.path.source,
      found.map(({ path, entity }) => ({ path, entityType: entity.type, internalId: identities.of(entity) })),
    ]),
  );
}

/** A sender may tie ids of its own system and of those in `may_link`, and nobody else's, at both ends of a link. */
function linkClaimOf({ source, entity, links }: EventToProcess, contract: Contract): LinkClaim | undefined {
  if (links === undefined) return undefined;
  const mayLink = contract.systems.get(source)?.ingest?.mayLink ?? [];
  const may = (system: string): boolean => system === source || mayLink.includes(system);
  const isOwnAllowed = may(entity.system);
  const { others, internalId } = links;
  return {
    entity,
    links: [
      ...(internalId === undefined ? [] : [{ kind: 'internal' as const, internalId, isAllowed: isOwnAllowed }]),
      ...others.map((id) => ({ kind: 'external' as const, id, isAllowed: isOwnAllowed && may(id.system) })),
    ],
  };
}
