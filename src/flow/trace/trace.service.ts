import { Injectable } from '@nestjs/common';
import { uuidV7 } from '../../domain/ids.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import type { Tx } from '../../platform/database/database.js';
import { findTrace, insertTrace } from './trace.sql.js';
import type { TracedHop } from './traced-hop.js';

/** What happened to an event somewhere; at least the node and the status. */
export interface TraceEntry {
  readonly eventId: string;
  /** Where it happened: `worker`, or the target's name. */
  readonly node: string;
  readonly status:
    'COMPLETED' | 'FAILED' | 'PARKED' | 'DEAD' | 'DELIVERED' | 'SUPERSEDED' | 'REPLAYED' | 'EDITED' | 'DISCARDED';
  readonly outcome?: string | undefined;
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  readonly internalId?: string | undefined;
  readonly revision?: bigint | undefined;
  readonly externalId?: string | undefined;
  readonly attempt?: number | undefined;
  readonly retryCount?: number | undefined;
  readonly retryIntervalMs?: number | undefined;
  readonly rejectReason?: string | undefined;
  readonly durationMs?: number | undefined;
  /** The number of the contract that decided. */
  readonly contract?: number | undefined;
  /** The stages that this one row stands for, with their times. */
  readonly hops?: readonly Hop[] | undefined;
}

export interface Hop {
  readonly status: string;
  readonly at: string;
}

/** The story of each event. Owns `trace`; rows are only ever added. */
@Injectable()
export class TraceService {
  constructor(private readonly clock: DatabaseClock) {}

  async write(tx: Tx, entries: readonly TraceEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const nowMs = this.clock.nowMs();
    const rows = entries.map((entry) => ({
      event_id: entry.eventId,
      trace_id: uuidV7(nowMs),
      node: entry.node,
      status: entry.status,
      outcome: entry.outcome ?? null,
      code: entry.code ?? null,
      detail: entry.detail ?? null,
      internal_id: entry.internalId ?? null,
      revision: entry.revision === undefined ? null : String(entry.revision),
      external_id: entry.externalId ?? null,
      attempt: entry.attempt ?? null,
      retry_count: entry.retryCount ?? null,
      // A first attempt was not put off by anything.
      retry_interval_ms: entry.rejectReason === undefined ? null : (entry.retryIntervalMs ?? null),
      reject_reason: entry.rejectReason ?? null,
      duration_ms: entry.durationMs ?? null,
      contract: entry.contract ?? null,
      hops: entry.hops === undefined ? null : JSON.stringify(entry.hops),
    }));
    await insertTrace(tx, rows);
  }

  ofEvents(tx: Tx, eventIds: readonly string[]): Promise<TracedHop[]> {
    return eventIds.length === 0 ? Promise.resolve([]) : findTrace(tx, eventIds);
  }
}
