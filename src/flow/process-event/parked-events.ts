import { Inject, Injectable } from '@nestjs/common';
import { readAwaitedName, type AwaitedThing } from '../../domain/awaited-name.js';
import type { EntityReference } from '../../domain/event.js';
import { CONTRACT_NUMBER } from '../../platform/config/contract-token.js';
import { Database, type Tx } from '../../platform/database/database.js';
import { Log } from '../../platform/logging/logger.js';
import { EntitiesService } from '../entities/entities.service.js';
import { IdMapService } from '../id-map/id-map.service.js';
import { identityKey } from '../id-map/plan-identities.js';
import { ParkingService } from '../parking/parking.service.js';
import { TraceService } from '../trace/trace.service.js';

/** Parked events that one sweep looks at; the next one goes on behind them. */
const RETEST_MAX = 500;
const EXPIRE_MAX = 100;

/**
 * The safety net under parking: looks whether what events wait for has happened although nobody woke them, has those that
 * another contract parked judged by the one of now, and gives up those that have waited for too long.
 */
@Injectable()
export class ParkedEvents {
  private lookedAt = '';

  constructor(
    @Inject(CONTRACT_NUMBER) private readonly contractNumber: number,
    private readonly database: Database,
    private readonly parking: ParkingService,
    private readonly idMap: IdMapService,
    private readonly entities: EntitiesService,
    private readonly trace: TraceService,
    private readonly log: Log,
  ) {}

  /** How many events are due now. */
  async sweep(): Promise<number> {
    const released = await this.retest();
    while ((await this.expire()) === EXPIRE_MAX);
    return released;
  }

  private retest(): Promise<number> {
    return this.database.transaction(async (tx) => {
      const waiting = await this.parking.list(tx, this.lookedAt, RETEST_MAX);
      this.lookedAt = waiting.length < RETEST_MAX ? '' : (waiting.at(-1)?.key ?? '');
      // By another contract it may not have to wait any more, or for something else.
      const others = waiting.filter(({ waits_contract }) => waits_contract !== this.contractNumber);
      const toJudge = others.flatMap(({ waits_for: names }) => names.map(readAwaitedName));
      return this.parking.release(tx, [...toJudge, ...(await this.happened(tx, waiting))]);
    });
  }

  private async expire(): Promise<number> {
    const given = await this.database.transaction(async (tx) => {
      const expired = await this.parking.lockExpired(tx, EXPIRE_MAX);
      if (expired.length === 0) return [];
      // What has happened after all is no reason to give up.
      await this.parking.release(tx, await this.happened(tx, expired));
      const buried = await this.parking.giveUp(
        tx,
        expired.map(({ key }) => key),
      );
      const entries = buried.map(({ key: eventId, reject_detail: detail }) => {
        return { eventId, node: 'worker', status: 'DEAD' as const, code: 'park.expired', detail };
      });
      await this.trace.write(tx, entries);
      return buried;
    });
    for (const { key: eventId, reject_detail: detail } of given) {
      this.log.trouble('event.failed', { eventId, code: 'park.expired', status: 'DEAD', detail });
    }
    return given.length;
  }

  /** Of what these events wait for, the things that are there by now. */
  private async happened(tx: Tx, waiting: readonly Waiting[]): Promise<readonly AwaitedThing[]> {
    const awaited = waiting.flatMap(({ waits_for: names, waits_states: states }) =>
      names.map((name) => ({ thing: readAwaitedName(name), states: states ?? [] })),
    );
    const ids = awaited.flatMap(({ thing }) => (thing.kind === 'mapping' ? referenceTo(thing) : []));
    const known = await this.idMap.known(tx, ids);
    const internalIds = awaited.flatMap(({ thing }) => (thing.kind === 'state' ? thing.internalId : []));
    const states = await this.entities.states(tx, [...new Set(internalIds)]);
    return awaited.flatMap(({ thing, states: wanted }) => {
      if (thing.kind === 'mapping') return known.has(identityKey(referenceTo(thing))) ? thing : [];
      return wanted.includes(states.get(thing.internalId) ?? '') ? thing : [];
    });
  }
}

interface Waiting {
  readonly waits_for: readonly string[];
  readonly waits_states: readonly string[] | null;
}

function referenceTo({ system, type, externalId }: AwaitedThing & { readonly kind: 'mapping' }): EntityReference {
  return { system, type, externalId, rawExternalId: externalId };
}
