import { Inject, Injectable } from '@nestjs/common';
import type { ReceivedEvent, UnmatchedWebhook } from '../../domain/event.js';
import { newEventId, type EventId } from '../../domain/ids.js';
import { SyncError } from '../../domain/sync-error.js';
import { CONTRACT_NUMBER } from '../../platform/config/contract-token.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { Database, type Tx } from '../../platform/database/database.js';
import { Doorbell } from '../../platform/database/doorbell.js';
import { databaseFault } from '../../platform/database/database-fault.js';
import { Savepoint } from '../../platform/database/savepoint.js';
import type { AcceptedEvent } from './accepted-event.js';
import { DuplicateCounter } from './duplicate-counter.js';
import { DuplicateGuard } from './duplicate-guard.js';
import { eventStanding } from './event-standing.js';
import { GroupCommit } from './group-commit.js';
import { conflictingRow, eventRow, rowBytes, unmatchedRow } from './event-row.js';
import {
  findEventsByCorrelationId,
  findEventsById,
  findOriginals,
  insertEvents,
  type EventRow,
  type OriginalRow,
} from './inbox.sql.js';
import { SameFact } from './same-fact.js';
import type { EventStanding, ForeseenVerdict, FullVerdict, Verdict } from './verdict.js';

/**
 * Wider groups gain nothing and make a failing one longer to split. Of small events the count is reached first; of large
 * ones the bytes keep the statement's text far from what a string (half a gigabyte) and a value of PostgreSQL (one) can
 * hold, although JSON within JSON may double it, and let it end long before the statement time-out.
 */
const GROUP_MAX = { count: 500, weight: 8_388_608 } as const;
const RETRY_AFTER_SECONDS = 2;
const VANISHED_ATTEMPT_MAX = 5;
const JUST_RECEIVED: EventStanding = { status: 'RECEIVED', outcome: undefined, code: undefined, internalId: undefined };
/**
 * What may wait for a database that is slow or away; more would only fill the memory. An event that waits costs several
 * times its bytes, because its request, its body and what was read of it wait as well. Four of the largest batches fit.
 */
const WAITING_MAX = { count: 20_000, weight: 67_108_864 } as const;

/**
 * Remembers events: in come events that the door has understood, out goes a verdict that was durable before it is
 * given. Owns `events`, `idempotency_keys` and `duplicate_counts`, and inserts the work row of each event in the same
 * statement.
 */
@Injectable()
export class InboxService {
  private readonly groups = new GroupCommit(
    (rows: readonly EventRow[]) => this.rememberGroup(rows),
    GROUP_MAX,
    WAITING_MAX,
  );

  constructor(
    @Inject(CONTRACT_NUMBER) private readonly contractNumber: number,
    private readonly database: Database,
    private readonly clock: DatabaseClock,
    private readonly sameFact: SameFact,
    private readonly duplicates: DuplicateCounter,
    private readonly guard: DuplicateGuard,
    private readonly doorbell: Doorbell,
  ) {}

  /**
   * As `remember`, but a copy may be recognised without the database, and then nothing is said of what became of it.
   *
   * @throws SyncError as `remember`
   */
  async rememberQuickly(event: ReceivedEvent): Promise<Verdict> {
    // Nearly every event is not asked about, and is spared the turn that an `await` costs.
    const asked = this.guard.recognise(event);
    const eventId = asked && (await asked);
    if (eventId === undefined) return this.remember(event);
    this.duplicates.count(event.source, event.eventType, 'guard');
    return { kind: 'duplicate', eventId, standing: undefined };
  }

  /**
   * @throws SyncError `storage.unavailable` or, when too much waits already, `door.overloaded`: nothing was promised and
   *   the sender must retry; `event.unstorable` when the database refuses exactly this event
   */
  remember(event: ReceivedEvent): Promise<FullVerdict> {
    return this.guard.learnFrom(event, async () => {
      const row = eventRow(event, newEventId(this.clock.nowMs()));
      const original = await this.insertOrFindOriginal(row);
      const verdict = await this.judge(this.database, { event, row, original }, (rival) =>
        this.insertOrFindOriginal(rival),
      );
      if (verdict.kind === 'duplicate') this.duplicates.count(event.source, event.eventType, 'key');
      return verdict;
    });
  }

  /**
   * Remembers events in a transaction of the caller's, who rings the bell after the commit. One verdict for each, in
   * their order; the transaction outlives an event that is refused. No duplicates are counted: nobody sent them.
   *
   * @throws SyncError `storage.unavailable`, after which the transaction has to be given up
   */
  async rememberWithin(tx: Tx, events: readonly ReceivedEvent[]): Promise<readonly (FullVerdict | Refused)[]> {
    const insert = (rows: readonly EventRow[]) => this.insertBehindSavepoint(tx, rows);
    const rows = events.map((event) => eventRow(event, newEventId(this.clock.nowMs())));
    const remembered = await this.insertOrHalve(rows, insert);
    const verdicts: (FullVerdict | Refused)[] = [];
    for (const [at, event] of events.entries()) {
      const [row, found] = [rows[at], remembered[at]];
      if (row === undefined || found === undefined) throw new Error('An event was not remembered.');
      if (found.kind === 'refused') verdicts.push(found);
      else {
        const arrived = { event, row, original: originalIn(found) };
        verdicts.push(
          await this.judge(tx, arrived, async (rival) => {
            const [conflict = VANISHED] = await this.insertOrHalve([rival], insert);
            return originalIn(conflict);
          }),
        );
      }
    }
    return verdicts;
  }

  /** The verdict that an event would get now. Nothing is stored, so that a later copy may still be the first. */
  async foresee(event: ReceivedEvent): Promise<ForeseenVerdict> {
    const { scope, idempotencyKey: key } = event;
    const [original] = await findOriginals(this.database, [{ at: 0, scope, key }]);
    if (original === undefined) return { kind: 'accepted' };
    const kind = (await this.sameFact.isCopy(this.database, event, original)) ? 'duplicate' : 'conflict';
    return { kind, eventId: original.event_id };
  }

  /**
   * Keeps an authentic webhook that no rule could read, as a dead letter; copies of one body are one letter. The
   * sender is told 200 either way.
   *
   * @throws SyncError `storage.unavailable` or `door.overloaded`, as above
   */
  async keepUnmatched(webhook: UnmatchedWebhook): Promise<EventId> {
    const row = unmatchedRow(webhook, newEventId(this.clock.nowMs()));
    const original = await this.insertOrFindOriginal(row);
    return original?.event_id ?? row.event_id;
  }

  /** Accepted events by their ids, in the order asked for; ids that are not known are left out. */
  async events(eventIds: readonly string[]): Promise<AcceptedEvent[]> {
    const found = new Map((await findEventsById(this.database, eventIds)).map((event) => [event.event_id, event]));
    return eventIds.flatMap((eventId) => found.get(eventId as EventId) ?? []);
  }

  /** The events of one business process, oldest first. */
  eventsOfProcess(correlationId: string, limit: number): Promise<AcceptedEvent[]> {
    return findEventsByCorrelationId(this.database, correlationId, limit);
  }

  /**
   * The second content under a used key is an event of its own, unique by (first event, content), so that copies of
   * it are one conflict. Processing it records the conflict and changes nothing else.
   */
  private async judge(
    tx: Tx,
    { event, row, original }: Arrived,
    insertOrFindOriginal: (rival: EventRow) => Promise<OriginalRow | undefined>,
  ): Promise<FullVerdict> {
    if (original === undefined) return { kind: 'accepted', eventId: row.event_id, standing: JUST_RECEIVED };
    const eventId = original.event_id;
    if (await this.sameFact.isCopy(tx, event, original)) {
      return { kind: 'duplicate', eventId, standing: eventStanding(original) };
    }
    const conflict = await insertOrFindOriginal(conflictingRow(row, eventId));
    return { kind: 'conflict', eventId, conflictEventId: conflict?.event_id ?? row.event_id };
  }

  private async insertBehindSavepoint(tx: Tx, rows: readonly EventRow[]): Promise<readonly Remembered[]> {
    const before = await Savepoint.set(tx);
    try {
      const remembered = await this.insertOrFind(tx, rows);
      await before.keep();
      return remembered;
    } catch (error) {
      const fault = databaseFault(error);
      if (fault === 'item') await before.rollBack();
      // Whoever waits for a lock gives up as a whole: others wait for what this transaction holds.
      throw fault === 'item' || fault === 'bug' ? error : storageUnavailable(error);
    }
  }

  /** Undefined when the key was new and the event is now remembered; otherwise the event that holds the key. */
  private async insertOrFindOriginal(row: EventRow): Promise<OriginalRow | undefined> {
    for (let attempt = 1; attempt <= VANISHED_ATTEMPT_MAX; attempt++) {
      if (this.groups.isFull) throw doorOverloaded();
      const remembered = await this.groups.submit(row, rowBytes(row));
      if (remembered.kind !== 'vanished') return originalIn(remembered);
    }
    throw storageUnavailable(new Error('The holder of the key vanished again and again.'));
  }

  private rememberGroup(rows: readonly EventRow[]): Promise<readonly Remembered[]> {
    return this.insertOrHalve(rows, async (some) => {
      const remembered = await this.insertOrFind(this.database, some);
      if (remembered.some(({ kind }) => kind === 'first')) this.doorbell.ring();
      return remembered;
    });
  }

  private async insertOrHalve(
    rows: readonly EventRow[],
    insert: (rows: readonly EventRow[]) => Promise<readonly Remembered[]>,
  ): Promise<readonly Remembered[]> {
    try {
      return await insert(rows);
    } catch (error) {
      if (error instanceof SyncError) throw error;
      const fault = databaseFault(error);
      if (fault === 'bug') throw error;
      if (fault === 'unavailable') throw storageUnavailable(error);
      if (rows.length === 1) return [{ kind: 'refused', error: refusalOfOne(error) }];
      // One item of the group is to blame and the others must not suffer: halve until it stands alone.
      const middle = Math.ceil(rows.length / 2);
      const firstHalf = await this.insertOrHalve(rows.slice(0, middle), insert);
      return [...firstHalf, ...(await this.insertOrHalve(rows.slice(middle), insert))];
    }
  }

  private async insertOrFind(tx: Tx, rows: readonly EventRow[]): Promise<readonly Remembered[]> {
    const firsts = await insertEvents(tx, rows, this.contractNumber);
    const losers = rows.flatMap(({ scope, key, event_id }, at) => (firsts.has(event_id) ? [] : [{ at, scope, key }]));
    const originals = losers.length === 0 ? [] : await findOriginals(tx, losers);
    const byPosition = new Map(originals.map((original) => [original.at, original]));
    return rows.map((row, at) => {
      if (firsts.has(row.event_id)) return { kind: 'first' };
      const original = byPosition.get(at);
      return original === undefined ? VANISHED : { kind: 'known', original };
    });
  }
}

/** An event with its row, and the event that holds its key where it is not the first. */
interface Arrived {
  readonly event: ReceivedEvent;
  readonly row: EventRow;
  readonly original: OriginalRow | undefined;
}

/** The database refuses the values of this very event: `event.unstorable`. */
export interface Refused {
  readonly kind: 'refused';
  readonly error: SyncError;
}

/** The key's holder was forgotten between the two statements; the next attempt makes this copy the first. */
const VANISHED = { kind: 'vanished' } as const;

type Remembered =
  { readonly kind: 'first' } | { readonly kind: 'known'; readonly original: OriginalRow } | typeof VANISHED | Refused;

/** @throws SyncError where the event was not remembered */
function originalIn(remembered: Remembered): OriginalRow | undefined {
  switch (remembered.kind) {
    case 'first':
      return undefined;
    case 'known':
      return remembered.original;
    case 'vanished':
      throw storageUnavailable(new Error('The holder of the key vanished.'));
    case 'refused':
      throw remembered.error;
  }
}

function refusalOfOne(error: unknown): SyncError {
  if (databaseFault(error) !== 'item') return storageUnavailable(error);
  return new SyncError('event.unstorable', 'PostgreSQL refuses the values of this event.', { cause: error });
}

function doorOverloaded(): SyncError {
  const detail = 'More waits already than the database takes in time; nothing was stored, send it again.';
  return new SyncError('door.overloaded', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function storageUnavailable(cause: unknown): SyncError {
  const detail = 'Nothing was stored and nothing was promised; send it again.';
  return new SyncError('storage.unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
