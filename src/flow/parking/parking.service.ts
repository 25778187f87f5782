import { Inject, Injectable } from '@nestjs/common';
import { awaitedName, type AwaitedThing } from '../../domain/awaited-name.js';
import type { Contract } from '../../domain/contract/contract.js';
import type { EntityReference } from '../../domain/event.js';
import { CONTRACT, CONTRACT_NUMBER } from '../../platform/config/contract-token.js';
import { Database, type Tx } from '../../platform/database/database.js';
import { Doorbell } from '../../platform/database/doorbell.js';
import type { Claim } from '../work/work.js';
import { WaitingService, type WaitingRow } from '../work/waiting.service.js';
import { lockNames } from './parking.sql.js';

type ExternalId = Pick<EntityReference, 'system' | 'type' | 'externalId'>;

/** An event that cannot go on before something named has happened. */
export interface Parked {
  readonly claim: Claim;
  /** Any of them will do. */
  readonly things: readonly AwaitedThing[];
  /** Of a state: any of these will do. */
  readonly states?: readonly string[];
  readonly code: string;
  readonly detail: string;
}

/**
 * Waiting for something named, spending no attempt. Whoever parks and whoever makes the thing happen take the same lock
 * first and look in a later statement: the lock of the entity, or the lock of the name where nothing exists yet that
 * could be locked. So the one sees the mapping, or the other sees the parked work, and no wake-up is lost.
 */
@Injectable()
export class ParkingService {
  private readonly awaitedTypes: ReadonlySet<string>;

  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    @Inject(CONTRACT_NUMBER) private readonly contractNumber: number,
    private readonly database: Database,
    private readonly waiting: WaitingService,
    private readonly doorbell: Doorbell,
  ) {
    this.awaitedTypes = awaitedTypesOf(contract);
  }

  /** Whether the contract lets anything wait for entities of the type. What nobody waits for needs no locks. */
  isAwaited({ type }: Pick<EntityReference, 'type'>): boolean {
    return this.awaitedTypes.has(type);
  }

  /** Takes the locks of external ids that nobody knows yet: before all others, and before looking whether they exist. */
  async lockUnknown(tx: Tx, ids: readonly ExternalId[]): Promise<void> {
    if (ids.length > 0) await lockNames(tx, ids.map(mappingName));
  }

  /**
   * Parks claimed events. Hold the lock of what each waits for.
   *
   * @returns the keys of those that did not wait for the very same thing before
   * @throws LeaseLost with the keys that another worker has taken over
   */
  async park(tx: Tx, parked: readonly Parked[]): Promise<ReadonlySet<string>> {
    if (parked.length === 0) return new Set();
    const waits = parked.map(({ things, ...wait }) => ({ ...wait, names: things.map(awaitedName) }));
    return this.waiting.park(tx, waits, this.contract.settings.parkForMs, this.contractNumber);
  }

  /**
   * Releases whoever waits for one of the things, in the transaction that made them happen and under their locks.
   *
   * @returns how many are due now: ring the bell once it has committed
   */
  async release(tx: Tx, things: readonly AwaitedThing[]): Promise<number> {
    return things.length === 0 ? 0 : this.waiting.release(tx, things.map(awaitedName));
  }

  /** Parked events by key, after a position. */
  list(tx: Tx, after: string, limit: number): Promise<WaitingRow[]> {
    return this.waiting.list(tx, after, limit);
  }

  /** Parked events whose time is over, locked until the transaction ends; those in other hands are left out. */
  lockExpired(tx: Tx, limit: number): Promise<WaitingRow[]> {
    return this.waiting.lockExpired(tx, limit);
  }

  /** Makes dead letters of those that still wait. Hold their locks. */
  giveUp(tx: Tx, keys: readonly string[]): Promise<{ readonly key: string; readonly reject_detail: string }[]> {
    return this.waiting.bury(tx, keys, 'park.expired');
  }

  /**
   * Runs the statement that makes an external id known, together with the release of whoever waits for it, and alone
   * where nothing can. A statement without rows has made nothing known.
   */
  async land<Row>(id: ExternalId, link: (tx: Tx) => Promise<Row[]>): Promise<Row[]> {
    if (!this.isAwaited(id)) return link(this.database);
    const { rows, released } = await this.database.transaction(async (tx) => {
      await this.lockUnknown(tx, [id]);
      const rows = await link(tx);
      return { rows, released: rows.length === 0 ? 0 : await this.release(tx, [{ kind: 'mapping', ...id }]) };
    });
    if (released > 0) this.doorbell.ring();
    return rows;
  }
}

/** Types that references wait for, and those with states: a step may wait for an entity that nobody knows yet. */
function awaitedTypesOf({ eventTypes, entityTypes }: Contract): ReadonlySet<string> {
  const referred = [...eventTypes.values()].flatMap(({ references }) =>
    references.flatMap(({ missing, entityType }) => (missing === 'wait' ? entityType : [])),
  );
  const stepping = [...entityTypes.values()].flatMap(({ name, states }) => (states === undefined ? [] : name));
  return new Set([...referred, ...stepping]);
}

function mappingName({ system, type, externalId }: ExternalId): string {
  return awaitedName({ kind: 'mapping', system, type, externalId });
}
