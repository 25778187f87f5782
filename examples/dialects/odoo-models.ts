import { elementsOf, membersOf, mergedText, objectOf, scalarOf } from '../json-text.js';
import type { Collection, RecordBody, StoredRecord } from '../record-store.js';
import { rowIds } from './child-rows.js';
import type { DialectParts } from './dialect.js';
import { recordsOfDomain } from './odoo-domain.js';
import { missingRecord, OdooError } from './odoo-error.js';
import { rowsAfterCommands } from './odoo-rows.js';

/** Which records a model speaks of, and the field in which a caller keeps its own reference. */
const MODELS = {
  'res.partner': { collection: 'customers', refField: 'ref' },
  'sale.order': { collection: 'orders', refField: 'client_order_ref' },
  'product.product': { collection: 'products', refField: 'default_code' },
  'account.payment': { collection: 'payments', refField: 'memo' },
} as const satisfies Record<string, { collection: Collection; refField: string }>;
export type ModelName = keyof typeof MODELS;

/** The field with child rows. */
const ROWS = 'order_line';

export interface ModelCall {
  readonly model: ModelName;
  readonly verb: string;
  /** The positional arguments, as texts of JSON. */
  readonly args: readonly string[];
  readonly named: ReadonlyMap<string, string>;
  readonly idempotencyKey: string | undefined;
}

export function isModel(name: string): name is ModelName {
  return Object.hasOwn(MODELS, name);
}

/** Carries out one method of a model and returns its result as a text of JSON. */
export function callModel(parts: DialectParts, call: ModelCall): string {
  const [first = '[]', second = '{}'] = call.args;
  switch (call.verb) {
    case 'search_read':
      return list(found(parts, call, first).map((record) => view(record, fieldsOf(call))));
    case 'search':
      return list(found(parts, call, first).map(({ id }) => id));
    case 'search_count':
      return String(found(parts, call, first).length);
    case 'read':
      return list(present(parts, call, first).map((record) => view(record, fieldsOf(call))));
    case 'create':
      return create(parts, call, first);
    case 'write':
      return update(parts, call, present(parts, call, first), second);
    case 'unlink':
      for (const { id } of present(parts, call, first)) parts.store.remove(MODELS[call.model].collection, id);
      return 'true';
    default:
      throw new OdooError('builtins.AttributeError', `The method '${call.model}.${call.verb}' does not exist`);
  }
}

/** One record or a list of them; what comes back has the same shape. */
function create(parts: DialectParts, call: ModelCall, given: string): string {
  const { collection } = MODELS[call.model];
  const isList = given.startsWith('[');
  const creates = (isList ? elementsOf(given) : [given]).map((values, index) => ({
    body: written(parts, call, '{}', values),
    key: call.idempotencyKey === undefined ? undefined : `${call.idempotencyKey} ${index}`,
  }));
  for (const { body, key } of creates)
    if (parts.store.createdUnder(collection, key) === undefined) requireUnique(parts, call, body);
  const ids = creates.map(({ body, key }) => parts.store.create(collection, body, key).record.id);
  return isList ? list(ids) : (ids[0] ?? 'false');
}

/** All of them or none: nothing is written before everything has been looked at. */
function update(parts: DialectParts, call: ModelCall, records: readonly StoredRecord[], values: string): string {
  const bodies = records.map(({ id, raw }) => ({ id, body: written(parts, call, raw, values) }));
  for (const { id, body } of bodies) requireUnique(parts, call, body, id);
  for (const { id, body } of bodies) parts.store.replace(MODELS[call.model].collection, id, body);
  return 'true';
}

/** The record after a write. */
function written({ store }: DialectParts, { model }: ModelCall, former: string, values: string): RecordBody {
  const members = membersOf(values);
  const commands = members.get(ROWS);
  if (commands !== undefined) {
    const nextId = (): string => String(store.takeNumber());
    members.set(ROWS, rowsAfterCommands(membersOf(former).get(ROWS), commands, nextId));
  }
  const raw = mergedText(former, objectOf(members));
  return { raw, ref: scalarOf(membersOf(raw).get(MODELS[model].refField)) ?? null };
}

function requireUnique({ store, settings }: DialectParts, { model }: ModelCall, body: RecordBody, id?: string): void {
  const { collection, refField } = MODELS[model];
  if (!settings.unique_refs || body.ref === null) return;
  const holder = store.findByRef(collection, body.ref).find((record) => record.id !== id);
  if (holder !== undefined) throw new OdooError('odoo.exceptions.UserError', `The ${refField} must be unique.`);
}

function found({ store }: DialectParts, { model, named }: ModelCall, domain: string): StoredRecord[] {
  const showsArchived = membersOf(named.get('context') ?? '{}').get('active_test') === 'false';
  const records = recordsOfDomain(store.all(MODELS[model].collection), domain, showsArchived);
  return records.slice(0, Number(scalarOf(named.get('limit')) ?? records.length));
}

/** The records of a list of ids, or of one id; a single missing one is an error, and nothing is done. */
function present({ store }: DialectParts, { model }: ModelCall, ids: string): StoredRecord[] {
  const named = ids.startsWith('[') ? elementsOf(ids) : [ids];
  return named.map((id) => {
    const record = store.find(MODELS[model].collection, id);
    if (record === undefined) throw missingRecord(model, id);
    return record;
  });
}

function fieldsOf({ named, args }: ModelCall): readonly string[] {
  const fields = named.get('fields') ?? args[1];
  return fields === undefined ? [] : elementsOf(fields).map((field) => scalarOf(field) ?? '');
}

/** `false` is Odoo's word for nothing; rows are told by their ids. */
function view(record: StoredRecord, fields: readonly string[]): string {
  const members = membersOf(record.raw);
  if (members.has(ROWS)) members.set(ROWS, list(rowIds(members.get(ROWS), { idName: 'id' })));
  const asked =
    fields.length === 0 ? [...members] : fields.map((name) => [name, members.get(name) ?? 'false'] as const);
  return objectOf(new Map([['id', record.id], ...asked, ['id', record.id]]));
}

function list(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}
