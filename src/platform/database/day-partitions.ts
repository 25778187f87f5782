import { firstUuidV7 } from '../../domain/ids.js';
import type { Database } from './database.js';
import { createPartition, findPartitionNames } from './day-partitions.sql.js';
import { takePartitionLock } from './migration-lock.sql.js';

/** Tables whose rows are parted by the day in their UUIDv7. */
export const PARTITIONED_TABLES = ['events', 'trace'] as const;

const DAY_MS = 86_400_000;
/** One day back, for a clock that was corrected around midnight. */
const DAYS_BACK = 1;
const DAYS_AHEAD = 7;

/** Makes the partitions around a moment that do not exist yet. Safe to run at once from several processes. */
export async function ensureDayPartitions(database: Database, nowMs: number): Promise<void> {
  const wanted = partitionsAround(nowMs);
  const missing = await missingOf(database, wanted);
  if (missing.length === 0) return;
  await database.transaction(async (tx) => {
    await takePartitionLock(tx);
    const existing = new Set<string>();
    for (const table of PARTITIONED_TABLES) {
      for (const name of await findPartitionNames(tx, table)) existing.add(name);
    }
    for (const partition of wanted) {
      if (!existing.has(partition.name)) await createPartition(tx, partition);
    }
  });
}

interface DayPartition {
  readonly table: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

function partitionsAround(nowMs: number): DayPartition[] {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const days = Array.from({ length: DAYS_BACK + 1 + DAYS_AHEAD }, (_, at) => today + (at - DAYS_BACK) * DAY_MS);
  return PARTITIONED_TABLES.flatMap((table) =>
    days.map((day) => ({
      table,
      name: `${table}_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`,
      from: firstUuidV7(day),
      to: firstUuidV7(day + DAY_MS),
    })),
  );
}

async function missingOf(database: Database, wanted: readonly DayPartition[]): Promise<DayPartition[]> {
  const names = await Promise.all(PARTITIONED_TABLES.map((table) => findPartitionNames(database, table)));
  const existing = new Set(names.flat());
  return wanted.filter(({ name }) => !existing.has(name));
}
