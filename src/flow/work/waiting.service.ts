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
  /** @throws LeaseLost with the keys that another worker has taken over */
  async park(tx: Tx, waits: readonly Wait[], parkForMs: number, contractNumber: number): Promise<void> {
    const rows = waits.map(({ claim: { key, fence }, names, states = null, code, detail }) => {
      return { key, fence: String(fence), waits_for: names, waits_states: states, code, detail };
    });
    const parked = new Set((await parkClaimed(tx, rows, parkForMs, contractNumber)).map(({ key }) => key));
    const lost = rows.map(({ key }) => key).filter((key) => !parked.has(key));
    if (lost.length > 0) throw new LeaseLost(lost);
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
