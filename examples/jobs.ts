import type { Collection, RecordBody, RecordStore, StoredRecord } from './record-store.js';

/** A create that was taken but not yet carried out. */
export interface Job {
  readonly job_id: string;
  readonly collection: Collection;
  readonly status: 'pending' | 'done' | 'failed';
  readonly ref: string | null;
  /** The record's id, once it is there. */
  readonly id: string | null;
  readonly reason: string | null;
}

interface Entry {
  job: Job;
  readonly body: RecordBody;
}

/** The jobs of a system that creates later; each ends once, whoever ends it. */
export class Jobs {
  private readonly entries = new Map<string, Entry>();
  private readonly idsByKey = new Map<string, string>();
  private begun: string[] = [];

  constructor(private readonly store: RecordStore) {}

  /** Takes a create, or returns the job that this key began before. */
  begin(collection: Collection, body: RecordBody, idempotencyKey: string | undefined): Job {
    const known = idempotencyKey === undefined ? undefined : this.idsByKey.get(`${collection} ${idempotencyKey}`);
    const former = known === undefined ? undefined : this.find(known);
    if (former !== undefined) return former;

    const id = `J-${this.store.takeNumber()}`;
    const job: Job = { job_id: id, collection, status: 'pending', ref: body.ref, id: null, reason: null };
    this.entries.set(id, { job, body });
    this.begun.push(id);
    if (idempotencyKey !== undefined) this.idsByKey.set(`${collection} ${idempotencyKey}`, id);
    return job;
  }

  /** Creates the record, or refuses it with a reason. Returns undefined where no such job is pending. */
  end(id: string, refused: string | undefined): Job | undefined {
    const entry = this.entries.get(id);
    if (entry?.job.status !== 'pending') return undefined;
    entry.job = refused === undefined ? this.done(entry) : { ...entry.job, status: 'failed', reason: refused };
    return entry.job;
  }

  find(id: string): Job | undefined {
    return this.entries.get(id)?.job;
  }

  all(): readonly Job[] {
    return [...this.entries.values()].map(({ job }) => job);
  }

  /** The jobs that began since this was last asked. */
  takeBegun(): readonly string[] {
    const begun = this.begun;
    this.begun = [];
    return begun;
  }

  clear(): void {
    this.entries.clear();
    this.idsByKey.clear();
    this.begun = [];
  }

  private done({ job, body }: Entry): Job {
    const { record }: { record: StoredRecord } = this.store.create(job.collection, body);
    return { ...job, status: 'done', id: record.id };
  }
}
