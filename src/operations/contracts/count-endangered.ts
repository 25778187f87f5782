import type { NormalizeStep } from '../../domain/contract/contract.js';
import type { DangerousChange, Stored } from '../../domain/contract/contract-change.js';
import { normalizeIdText } from '../../domain/external-id.js';
import type { Tx } from '../../platform/database/database.js';
import {
  countEntitiesInState,
  countExternalIds,
  countKeys,
  countMergedRecords,
  countOrderedRecords,
  listExternalIds,
} from './stored-rows.sql.js';

/** A change that contradicts rows which are there. */
export interface Danger {
  readonly change: DangerousChange;
  readonly endangered: Endangered;
}

export interface Endangered {
  /** More are not counted than were asked for. */
  readonly rows: number;
  /** For a normalisation whose effect was looked at. */
  readonly spelling?: Spelling;
}

export interface Spelling {
  readonly rows: number;
  /** Ids that would be spelt otherwise than they are stored. */
  readonly respelt: number;
  /** Ids that would get the spelling of another id of the same entity type. */
  readonly colliding: number;
}

/** Rows that a person is shown; beyond that "at least" says enough. */
export const COUNT_MAX = 1_000_000;
const PAGE_ROWS = 5_000;

/** Whether any of the changes contradicts what is stored; looks for one row each, so that a start does not wait. */
export async function findDangers(tx: Tx, changes: readonly DangerousChange[]): Promise<readonly Danger[]> {
  return dangersAmong(changes, async (stored) => ({ rows: await count(tx, stored, 1) }));
}

/** The same with everything counted, which may take its time. */
export async function countDangers(tx: Tx, changes: readonly DangerousChange[]): Promise<readonly Danger[]> {
  return dangersAmong(changes, async (stored) => {
    const rows = await count(tx, stored, COUNT_MAX);
    if (rows === 0 || stored.kind !== 'ids' || stored.normalize === undefined) return { rows };
    return { rows, spelling: await respell(tx, stored.system, stored.normalize) };
  });
}

async function dangersAmong(
  changes: readonly DangerousChange[],
  look: (stored: Stored) => Promise<Endangered>,
): Promise<readonly Danger[]> {
  const dangers: Danger[] = [];
  for (const change of changes) {
    const endangered = await look(change.endangers);
    if (endangered.rows > 0) dangers.push({ change, endangered });
  }
  return dangers;
}

function count(tx: Tx, stored: Stored, max: number): Promise<number> {
  switch (stored.kind) {
    case 'keys':
      return countKeys(tx, stored.scopes, max);
    case 'ids':
      return countExternalIds(tx, stored.system, stored.entityType ?? null, max);
    case 'records':
      return countOrderedRecords(tx, stored.entityType, max);
    case 'merged':
      return countMergedRecords(tx, stored.entityType, stored.field, max);
    case 'state':
      return countEntitiesInState(tx, stored.entityType, stored.state, max);
  }
}

async function respell(tx: Tx, system: string, normalize: readonly NormalizeStep[]): Promise<Spelling> {
  const taken = new Set<string>();
  let [rows, respelt, colliding] = [0, 0, 0];
  let last = { entity_type: '', external_id: '' };
  while (rows < COUNT_MAX) {
    const page = await listExternalIds(tx, system, last, PAGE_ROWS);
    for (const { entity_type, external_id, raw_external_id } of page) {
      const spelling = normalizeIdText(raw_external_id, { normalize });
      const place = JSON.stringify([entity_type, spelling]);
      if (spelling !== external_id) respelt += 1;
      if (taken.has(place)) colliding += 1;
      taken.add(place);
    }
    rows += page.length;
    last = page.at(-1) ?? last;
    if (page.length < PAGE_ROWS) break;
  }
  return { rows, respelt, colliding };
}
