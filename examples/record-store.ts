export const COLLECTIONS = ['customers', 'orders', 'payments', 'stock', 'products', 'categories'] as const;
export type Collection = (typeof COLLECTIONS)[number];
export type SystemName = 'erp' | 'wms';

/** What a caller sends: the JSON text as it arrived, and the caller's own reference found in it. */
export interface RecordBody {
  readonly raw: string;
  readonly ref: string | null;
}

export interface StoredRecord extends RecordBody {
  readonly id: string;
  /** 1 after the create, one more for each replacement. */
  readonly writes: number;
  /** The place of the last write among all writes of the system: what was written later has the higher one. */
  readonly revision: number;
  readonly updated_at: string;
}

/** One write in the order in which they were carried out; of a removed record, what it held last. */
export interface Change {
  readonly revision: number;
  readonly change: 'created' | 'updated' | 'deleted';
  readonly collection: Collection;
  readonly id: string;
  readonly ref: string | null;
  readonly raw: string;
  readonly at: string;
}

export interface RecordStoreOptions {
  readonly nameId: (collection: Collection, number: number) => string;
  readonly firstNumber: number;
  readonly now: () => number;
}

/**
 * The records of one system, in memory. Two creates under one idempotency key are one record; two creates with one
 * `ref` are two, as in most real systems, so that a duplicate can be seen. An id is never given twice.
 */
export class RecordStore {
  private readonly records = new Map<Collection, Map<string, StoredRecord>>();
  private readonly idsByKey = new Map<string, string>();
  private history: Change[] = [];
  private nextNumber: number;
  private nextRevision = 1;

  constructor(private readonly options: RecordStoreOptions) {
    this.nextNumber = options.firstNumber;
  }

  /** Creates a record, or returns the one that this key created before, whatever the body says now. */
  create(
    collection: Collection,
    body: RecordBody,
    idempotencyKey?: string,
  ): { readonly record: StoredRecord; readonly isNew: boolean } {
    const former = this.createdUnder(collection, idempotencyKey);
    if (former !== undefined) return { record: former, isNew: false };

    const id = this.options.nameId(collection, this.takeNumber());
    const record = this.write(collection, { id, ...body, writes: 1 });
    if (idempotencyKey !== undefined) this.idsByKey.set(`${collection} ${idempotencyKey}`, id);
    return { record, isNew: true };
  }

  /** The record that was created under this key, as long as it is there. */
  createdUnder(collection: Collection, idempotencyKey: string | undefined): StoredRecord | undefined {
    if (idempotencyKey === undefined) return undefined;
    return this.find(collection, this.idsByKey.get(`${collection} ${idempotencyKey}`));
  }

  /** Returns undefined where no such record exists; nothing is created then. */
  replace(collection: Collection, id: string, body: RecordBody): StoredRecord | undefined {
    const former = this.find(collection, id);
    if (former === undefined) return undefined;
    return this.write(collection, { id, ...body, writes: former.writes + 1 });
  }

  /** Returns what was removed, or undefined where there was no such record. */
  remove(collection: Collection, id: string): StoredRecord | undefined {
    const former = this.find(collection, id);
    if (former === undefined) return undefined;
    this.collection(collection).delete(id);
    this.note('deleted', collection, former);
    return former;
  }

  find(collection: Collection, id: string | undefined): StoredRecord | undefined {
    return id === undefined ? undefined : this.collection(collection).get(id);
  }

  findByRef(collection: Collection, ref: string): readonly StoredRecord[] {
    return this.all(collection).filter((record) => record.ref === ref);
  }

  /** In the order of their creation. */
  all(collection: Collection): readonly StoredRecord[] {
    return [...this.collection(collection).values()];
  }

  /** Every write since the last `clear`, in order. */
  changes(): readonly Change[] {
    return this.history;
  }

  /** A number that no record and no row of a record has. */
  takeNumber(): number {
    return this.nextNumber++;
  }

  /** Forgets records, keys and changes. Numbers go on: callers may still remember the old ids. */
  clear(): void {
    this.records.clear();
    this.idsByKey.clear();
    this.history = [];
  }

  private write(collection: Collection, body: RecordBody & Pick<StoredRecord, 'id' | 'writes'>): StoredRecord {
    const record = { ...body, ...this.note(body.writes === 1 ? 'created' : 'updated', collection, body) };
    this.collection(collection).set(record.id, record);
    return record;
  }

  private note(
    change: Change['change'],
    collection: Collection,
    { id, ref, raw }: RecordBody & Pick<StoredRecord, 'id'>,
  ): Pick<StoredRecord, 'revision' | 'updated_at'> {
    const revision = this.nextRevision++;
    const at = new Date(this.options.now()).toISOString();
    this.history.push({ revision, change, collection, id, ref, raw, at });
    return { revision, updated_at: at };
  }

  private collection(name: Collection): Map<string, StoredRecord> {
    const known = this.records.get(name);
    if (known !== undefined) return known;
    const fresh = new Map<string, StoredRecord>();
    this.records.set(name, fresh);
    return fresh;
  }
}
