export const COLLECTIONS = ['customers', 'orders', 'payments', 'stock'] as const;
export type Collection = (typeof COLLECTIONS)[number];
export type SystemName = 'erp' | 'wms';

/** Each system speaks of the same things under ids of its own. */
const ID_PREFIXES: Record<SystemName, Record<Collection, string>> = {
  erp: { customers: 'ERP-C', orders: 'ERP-O', payments: 'ERP-P', stock: 'ERP-S' },
  wms: { customers: 'WMS-CUST-', orders: 'WMS-ORD-', payments: 'WMS-PAY-', stock: 'WMS-STK-' },
};

/** What a caller sends: the JSON text as it arrived, and the caller's own reference found in it. */
export interface RecordBody {
  readonly raw: string;
  readonly ref: string | null;
}

export interface StoredRecord extends RecordBody {
  readonly id: string;
  /** 1 after the create, one more for each replacement. */
  readonly writes: number;
}

/**
 * The records of one system, in memory. Two creates under one idempotency key are one record; two creates with one
 * `ref` are two, as in most real systems, so that a duplicate can be seen. An id is never given twice.
 */
export class RecordStore {
  private readonly records = new Map<Collection, Map<string, StoredRecord>>();
  private readonly idsByKey = new Map<string, string>();
  private nextNumber: number;

  constructor(
    private readonly system: SystemName,
    firstNumber: number,
  ) {
    this.nextNumber = firstNumber;
  }

  /** Creates a record, or returns the one that this key created before, whatever the body says now. */
  create(
    collection: Collection,
    body: RecordBody,
    idempotencyKey?: string,
  ): { readonly record: StoredRecord; readonly isNew: boolean } {
    const scopedKey = `${collection} ${idempotencyKey ?? ''}`;
    const former = idempotencyKey === undefined ? undefined : this.find(collection, this.idsByKey.get(scopedKey));
    if (former !== undefined) return { record: former, isNew: false };

    const id = `${ID_PREFIXES[this.system][collection]}${this.nextNumber++}`;
    const record = { id, ...body, writes: 1 };
    this.collection(collection).set(id, record);
    if (idempotencyKey !== undefined) this.idsByKey.set(scopedKey, id);
    return { record, isNew: true };
  }

  /** Returns undefined where no such record exists; nothing is created then. */
  replace(collection: Collection, id: string, body: RecordBody): StoredRecord | undefined {
    const former = this.find(collection, id);
    if (former === undefined) return undefined;
    const record = { id, ...body, writes: former.writes + 1 };
    this.collection(collection).set(id, record);
    return record;
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

  /** Forgets records and keys. Numbers go on: callers may still remember the old ids. */
  clear(): void {
    this.records.clear();
    this.idsByKey.clear();
  }

  private collection(name: Collection): Map<string, StoredRecord> {
    const known = this.records.get(name);
    if (known !== undefined) return known;
    const fresh = new Map<string, StoredRecord>();
    this.records.set(name, fresh);
    return fresh;
  }
}
