import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/database/database.js';
import { buryWaiting, listWaiting, lockExpired, parkClaimed, releaseWaiting, type WaitingRow } from './waiting.sql.js';
import { LeaseLost, type Claim } from './work.js';

export type { WaitingRow };

/** What claimed work waits for. */
export interface Wait {
  readonly claim: Claim;
  /** Any of them will do. */
  readonly names: readonly string[];
  /** Of a state: any of these will do. */
  readonly states?: readonly string[];
  readonly code: string;
  readonly detail: string;
}

/** The rows of work that waits. Who may wait for what, and under which locks, is `ParkingService`'s to say. */
@Injectable()
export class WaitingService {
  /**
   * @returns the keys of those that did not wait for the very same thing before
   * @throws LeaseLost with the keys that another worker has taken over
   */
  async park(tx: Tx, waits: readonly Wait[], parkForMs: number, contractNumber: number): Promise<ReadonlySet<string>> {
    const rows = waits.map(({ claim: { key, fence }, names, states = null, code, detail }) => {
      return { key, fence: String(fence), waits_for: names, waits_states: states, code, detail };
    });
    const parked = await parkClaimed(tx, rows, parkForMs, contractNumber);
    const held = new Set(parked.map(({ key }) => key));
    const lost = rows.map(({ key }) => key).filter((key) => !held.has(key));
    if (lost.length > 0) throw new LeaseLost(lost);
    return new Set(parked.flatMap(({ key, is_news }) => (is_news ? key : [])));
  }

  /** How many were released. */
  release(tx: Tx, names: readonly string[]): Promise<number> {
    return releaseWaiting(tx, names);
  }

  list(tx: Tx, after: string, limit: number): Promise<WaitingRow[]> {
    return listWaiting(tx, after, limit);
  }

  lockExpired(tx: Tx, limit: number): Promise<WaitingRow[]> {
    return lockExpired(tx, limit);
  }

  bury(tx: Tx, keys: readonly string[], code: string): Promise<{ key: string; reject_detail: string }[]> {
    return buryWaiting(tx, keys, code);
  }
}
