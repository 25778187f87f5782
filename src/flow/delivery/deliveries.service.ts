import { Injectable } from '@nestjs/common';
import { deliveryWorkKey } from '../../domain/business-key.js';
import type { InternalId } from '../../domain/ids.js';
import type { Tx } from '../../platform/database/database.js';
import type { Alarm } from '../../platform/queues/alarms.js';
import { TraceService } from '../trace/trace.service.js';
import { WorkService } from '../work/work.service.js';
import {
  findDeliveriesOf,
  markDeadDue,
  markDue,
  raiseWanted,
  type RaisedRow,
  type WantedRow,
} from './deliveries.sql.js';
import type { Delivery } from './delivery.js';

/** "Target T should be at revision R of entity E", and which event says so. */
export interface Wish {
  readonly target: string;
  readonly internalId: InternalId;
  readonly entityType: string;
  readonly revision: bigint;
  readonly eventId: string;
}

/** A target that knows the entity from now on, by an id that came from outside. */
export interface LinkedTarget {
  readonly target: string;
  readonly internalId: InternalId;
}

/** What each target should have. Owns `deliveries`; the attempts are made by `Deliver`. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly work: WorkService,
    private readonly trace: TraceService,
  ) {}

  /**
   * Asks for deliveries, in the transaction that changed the entities. Where a delivery had been given up, the newer
   * revision takes it up again and the dead letter ends as superseded; so does a link, without which it may have been
   * given up.
   *
   * @returns the alarms to set once the transaction has committed
   */
  async want(tx: Tx, wishes: readonly Wish[], linked: readonly LinkedTarget[] = []): Promise<Alarm[]> {
    const raised = wishes.length === 0 ? [] : await raiseWanted(tx, newestOfEach(wishes));
    const ended = raised.filter(({ status }) => status === 'delivered' || status === 'dead');
    if (ended.length > 0) await markDue(tx, ended);
    const revived = linked.length === 0 ? [] : await markDeadDue(tx, linked);
    return this.arm(tx, [...raised, ...revived]);
  }

  ofEntities(tx: Tx, internalIds: readonly InternalId[]): Promise<Delivery[]> {
    return internalIds.length === 0 ? Promise.resolve([]) : findDeliveriesOf(tx, internalIds);
  }

  private async arm(tx: Tx, raised: readonly RaisedRow[]): Promise<Alarm[]> {
    if (raised.length === 0) return [];
    const armed = await this.work.armDeliveries(
      tx,
      raised.map(({ target, internal_id }) => ({
        key: deliveryWorkKey(target, internal_id),
        topic: target,
        internal_id,
      })),
    );
    const superseded = raised.flatMap(({ status, attempted_by: eventId, target, internal_id }) =>
      status === 'dead' && eventId !== null
        ? [{ eventId, node: target, status: 'SUPERSEDED' as const, code: 'work.superseded', internalId: internal_id }]
        : [],
    );
    await this.trace.write(tx, superseded);
    return armed.map(({ key, topic, wake }) => ({ target: topic, workKey: key, wake, delayMs: 0 }));
  }
}

/** A statement may touch a row only once, and only the newest revision counts. */
function newestOfEach(wishes: readonly Wish[]): WantedRow[] {
  const newest = new Map<string, Wish>();
  for (const wish of wishes) {
    const key = deliveryWorkKey(wish.target, wish.internalId);
    const known = newest.get(key);
    if (known === undefined || known.revision <= wish.revision) newest.set(key, wish);
  }
  return [...newest.values()].map(({ target, internalId, entityType, revision, eventId }) => ({
    target,
    internal_id: internalId,
    entity_type: entityType,
    revision: String(revision),
    event_id: eventId,
  }));
}
