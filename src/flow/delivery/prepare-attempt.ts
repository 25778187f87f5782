import { Inject, Injectable } from '@nestjs/common';
import type { Contract } from '../../domain/contract/contract.js';
import { NO_TARGET } from '../../domain/contract/target.js';
import { parseInternalId, type InternalId } from '../../domain/ids.js';
import { JsonNumber, type Json, type JsonObject } from '../../domain/json/json.js';
import { readJson, readStoredJson } from '../../domain/json/read-json.js';
import { retryPolicyOf } from '../../domain/retry-passport.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { Database } from '../../platform/database/database.js';
import { EntitiesService } from '../entities/entities.service.js';
import type { EntityView } from '../entities/entity-view.js';
import type { AcceptedEvent } from '../inbox/accepted-event.js';
import { InboxService } from '../inbox/inbox.service.js';
import { passportOf, type Claim } from '../work/work.js';
import type { Attempt, AttemptEnd } from './attempt.js';
import { findDelivery } from './deliveries.sql.js';

export type Prepared =
  | { readonly kind: 'attempt'; readonly attempt: Attempt }
  /** The target already is where it should be. */
  | { readonly kind: 'nothing_to_do'; readonly target: string; readonly internalId: InternalId }
  /** No call is to be made: the contract no longer says how, or there is nothing left to say. */
  | { readonly kind: 'ended'; readonly attempt: Attempt; readonly end: AttemptEnd };

/** Reads what an attempt needs: the newest entity, the event that asked for it, the contract's rules. */
@Injectable()
export class PrepareAttempt {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly database: Database,
    private readonly entities: EntitiesService,
    private readonly inbox: InboxService,
  ) {}

  async read(claim: Claim, deadlineMs: number): Promise<Prepared> {
    const { topic: target } = claim;
    const internalId = parseInternalId(claim.internalId ?? '');
    if (internalId === undefined) throw new Error(`Delivery work ${claim.key} names no entity.`);
    const [delivery] = await findDelivery(this.database, target, internalId);
    const entity = await this.entities.find(this.database, internalId);
    const nothingToDo = { kind: 'nothing_to_do', target, internalId } as const;
    const isClean = delivery !== undefined && delivery.dirty_seq <= delivery.clean_seq;
    if (delivery === undefined || entity === undefined) return nothingToDo;
    if (isClean && delivery.reached_revision >= delivery.wanted_revision) return nothingToDo;
    const [event] = await this.inbox.events([delivery.wanted_by]);
    const system = this.contract.systems.get(target);
    const rules = system?.deliver;
    const entityRules = rules?.entities.get(entity.entity_type);
    const attempt: Attempt = {
      target,
      rules: rules ?? NO_TARGET,
      entityRules: entityRules ?? {},
      externalIdRules: system?.externalIds ?? { normalize: [] },
      internalId,
      entityType: entity.entity_type,
      revision: entity.revision,
      fence: claim.fence,
      dirtySeq: delivery.dirty_seq,
      eventId: delivery.wanted_by,
      correlationId: event?.correlation_id ?? internalId,
      traceparent: event?.traceparent ?? null,
      input: {
        entity: entityInput(entity),
        event: event === undefined ? null : eventInput(event),
        state: entity.state ?? this.initialState(entity.entity_type),
      },
      ...passportOf(claim),
      retry: retryPolicyOf(event?.retry ?? null, this.contract.settings.retry),
      deadlineMs,
    };
    // Its fields would be an update with nothing in it, or the create of something that is no more.
    if (entity.is_deleted) return { kind: 'ended', attempt, end: DELETED };
    if (entityRules !== undefined) return { kind: 'attempt', attempt };
    const detail = `The contract does not say how ${target} takes ${entity.entity_type}.`;
    const end = { kind: 'failed', code: 'target.unmappable', detail, class: 'final', mayHaveArrived: false } as const;
    return { kind: 'ended', attempt, end };
  }

  /** Of an entity that no event has moved yet, where its type has states. */
  private initialState(entityType: string): string | null {
    return this.contract.entityTypes.get(entityType)?.states?.initial ?? null;
  }
}

const DELETED: AttemptEnd = { kind: 'reached', externalId: undefined, code: 'entity.deleted' };

function entityInput(entity: EntityView): JsonObject {
  return new Map<string, Json>([
    ['internal_id', entity.internal_id],
    ['type', entity.entity_type],
    ['revision', new JsonNumber(String(entity.revision))],
    ['data', readStoredJson(entity.data)],
  ]);
}

function eventInput(event: AcceptedEvent): JsonObject {
  return new Map<string, Json>([
    ['event_id', event.event_id],
    ['event_type', event.event_type],
    ['source', event.source],
    ['external_id', event.raw_external_id],
    ['occurred_at', event.occurred_at],
    ['correlation_id', event.correlation_id],
    ['payload', readJson(event.payload).value],
  ]);
}
