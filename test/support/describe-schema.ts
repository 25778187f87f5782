import type { Tx } from '../../src/platform/database/database.js';

/**
 * Our schema as SQL text, read from PostgreSQL's own catalogue: tables with their columns, constraints and indexes, in
 * one order whatever the order of the migrations was. Left out are partitions, which come and go with the days, the
 * table in which TypeORM notes what ran, and the queue's tables, which are BullMQ's.
 */
export async function describeSchema(database: Tx): Promise<string> {
  const tables = await database.query<Table>(TABLES);
  const described: string[] = [];
  for (const table of tables) described.push(await describeTable(database, table));
  return described.join('\n');
}

interface Table {
  readonly name: string;
  readonly partition_key: string | null;
  readonly options: string | null;
}

const TABLES = `
  SELECT class.relname AS name, pg_get_partkeydef(class.oid) AS partition_key,
         array_to_string(class.reloptions, ', ') AS options
    FROM pg_class class
   WHERE class.relnamespace = 'public'::regnamespace AND class.relkind IN ('r', 'p')
     AND NOT class.relispartition AND class.relname <> 'migrations'
   ORDER BY class.relname`;

const COLUMNS = `
  SELECT attribute.attname AS name, format_type(attribute.atttypid, attribute.atttypmod) AS type,
         attribute.attnotnull AS is_required, pg_get_expr(fallback.adbin, fallback.adrelid) AS default_value
    FROM pg_attribute attribute
    LEFT JOIN pg_attrdef fallback ON fallback.adrelid = attribute.attrelid AND fallback.adnum = attribute.attnum
   WHERE attribute.attrelid = $1::regclass AND attribute.attnum > 0 AND NOT attribute.attisdropped
   ORDER BY attribute.attnum`;

/** Constraints of kind `n` (NOT NULL, since PostgreSQL 18) stand with their columns already. */
const CONSTRAINTS = `
  SELECT conname AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE conrelid = $1::regclass AND contype <> 'n' ORDER BY contype DESC, conname`;

const INDEXES = `
  SELECT pg_get_indexdef(pg_index.indexrelid) AS definition
    FROM pg_index
   WHERE pg_index.indrelid = $1::regclass
     AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE pg_constraint.conindid = pg_index.indexrelid)
   ORDER BY pg_index.indexrelid::regclass::text`;

async function describeTable(database: Tx, { name, partition_key, options }: Table): Promise<string> {
  const columns = await database.query<Column>(COLUMNS, [name]);
  const constraints = await database.query<{ name: string; definition: string }>(CONSTRAINTS, [name]);
  const indexes = await database.query<{ definition: string }>(INDEXES, [name]);
  const members = [
    ...columns.map(describeColumn),
    ...constraints.map((constraint) => `CONSTRAINT ${constraint.name} ${constraint.definition}`),
  ];
  const partitioned = partition_key === null ? '' : ` PARTITION BY ${partition_key}`;
  const stored = options === null ? '' : ` WITH (${options})`;
  return [
    `CREATE TABLE ${name} (\n${members.map((member) => `  ${member}`).join(',\n')}\n)${partitioned}${stored};`,
    ...indexes.map(({ definition }) => `${definition};`),
    '',
  ].join('\n');
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly is_required: boolean;
  readonly default_value: string | null;
}

function describeColumn({ name, type, is_required, default_value }: Column): string {
  const fallback = default_value === null ? '' : ` DEFAULT ${default_value}`;
  return `${name} ${type}${is_required ? ' NOT NULL' : ''}${fallback}`;
}
