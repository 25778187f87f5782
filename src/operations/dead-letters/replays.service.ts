import { Injectable } from '@nestjs/common';
import { uuidV7 } from '../../domain/ids.js';
import { quoted } from '../../domain/quoted.js';
import { SyncError } from '../../domain/sync-error.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { Database } from '../../platform/database/database.js';
import { AuditService } from '../audit/audit.service.js';
import { countLetters, type LetterFilter } from './dead-letters.sql.js';
import { endReplay, findReplay, insertReplay, type ReplayRow } from './replays.sql.js';

export interface BulkWish {
  readonly filter: LetterFilter;
  /** Letters per second. */
  readonly pace: number;
  readonly reason: string;
  readonly operator: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Replays of many letters: begun, looked at and cancelled here; carried out by `ReplayRunner` of any process. */
@Injectable()
export class ReplaysService {
  constructor(
    private readonly database: Database,
    private readonly clock: DatabaseClock,
    private readonly audit: AuditService,
  ) {}

  /** How many letters it would be now. */
  count(filter: LetterFilter): Promise<number> {
    return countLetters(this.database, filter);
  }

  /** Its letters are those that are dead at this moment. */
  async begin({ filter, pace, reason, operator }: BulkWish): Promise<ReplayRow> {
    const replayId = uuidV7(this.clock.nowMs());
    return this.database.transaction(async (tx) => {
      const total = await countLetters(tx, filter);
      const row = { replay_id: replayId, filter: JSON.stringify(filter), pace, reason, operator, total };
      const [begun] = await insertReplay(tx, row);
      if (begun === undefined) throw new Error('An insert without a condition gave no row.');
      const after = { filter: { ...filter }, pace, total };
      const deed = { actor: operator, action: 'replay.begin', subject: replayId, reason, after };
      await this.audit.record(tx, deed);
      return begun;
    });
  }

  /** @throws SyncError `replay.not_found` */
  async find(replayId: string): Promise<ReplayRow> {
    const [row] = UUID.test(replayId) ? await findReplay(this.database, replayId) : [];
    if (row === undefined) throw new SyncError('replay.not_found', `There is no replay ${quoted(replayId)}.`);
    return row;
  }

  /**
   * No letter is replayed after it. What was replayed before goes on; a replay that has ended stays as it is.
   *
   * @throws SyncError `replay.not_found`
   */
  async cancel(replayId: string, by: Pick<BulkWish, 'reason' | 'operator'>): Promise<ReplayRow> {
    const { status } = await this.find(replayId);
    await this.database.transaction(async (tx) => {
      const [ended] = await endReplay(tx, replayId, 'cancelled');
      if (ended === undefined) return;
      const { done, superseded, failed } = ended;
      await this.audit.record(tx, {
        actor: by.operator,
        action: 'replay.cancel',
        subject: replayId,
        reason: by.reason,
        before: { status },
        after: { status: 'cancelled', done, superseded, failed },
      });
    });
    return this.find(replayId);
  }
}
