import { Injectable } from '@nestjs/common';
import { uuidV7 } from '../../domain/ids.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import type { Tx } from '../../platform/database/database.js';
import type { Conflict, ConflictKind } from './conflict.js';
import { findConflicts, insertConflictsIfAbsent } from './conflicts.sql.js';

/** A question for a person: what is asked, and between what. */
export interface NewConflict {
  readonly kind: ConflictKind;
  /** Two conflicts with one subject are one question. */
  readonly subject: string;
  readonly system?: string | undefined;
  readonly entityType?: string | undefined;
  readonly externalId?: string | undefined;
  readonly internalId?: string | undefined;
  readonly eventId?: string | undefined;
  /** What a person would choose between, with where each comes from. */
  readonly candidates: readonly Readonly<Record<string, string | null>>[];
}

/** Records what only a person may decide, and lists it. Owns `conflicts`. */
@Injectable()
export class ConflictsService {
  constructor(private readonly clock: DatabaseClock) {}

  async record(tx: Tx, conflicts: readonly NewConflict[]): Promise<void> {
    if (conflicts.length === 0) return;
    const rows = conflicts.map((conflict) => ({
      conflict_id: uuidV7(this.clock.nowMs()),
      kind: conflict.kind,
      subject: conflict.subject,
      system: conflict.system ?? null,
      entity_type: conflict.entityType ?? null,
      external_id: conflict.externalId ?? null,
      internal_id: conflict.internalId ?? null,
      event_id: conflict.eventId ?? null,
      candidates: JSON.stringify(conflict.candidates),
    }));
    await insertConflictsIfAbsent(tx, rows);
  }

  list(
    tx: Tx,
    filter: { status: string; kind: string | null; before: string | null; limit: number },
  ): Promise<Conflict[]> {
    return findConflicts(tx, filter);
  }
}
