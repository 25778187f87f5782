import { elementsOf, mergedText, membersOf, objectOf, scalarOf } from '../json-text.js';

export interface RowRules {
  /** The member of a row that holds its id. */
  readonly idName: string;
  /** The text of an id in JSON. */
  readonly nextId: () => string;
}

/** Texts of an array; undefined where a given row names one that is not there. */
export type RowsWritten = string | undefined;

/**
 * The rows of a record after a write, as systems with child rows do it: a row that repeats its id is changed, a row
 * without one is added (so whoever leaves ids out has every row twice), and a row that is not named stays.
 *
 * @param former The rows as a text of JSON; undefined where there are none yet.
 */
export function rowsAfter(former: string | undefined, given: string, rules: RowRules): RowsWritten {
  const rows = former === undefined ? [] : elementsOf(former);
  for (const row of elementsOf(given)) {
    const id = idOf(row, rules);
    if (id === undefined) {
      rows.push(objectOf(new Map([[rules.idName, rules.nextId()], ...membersOf(row)])));
      continue;
    }
    const at = rows.findIndex((known) => idOf(known, rules) === id);
    const known = rows[at];
    if (known === undefined) return undefined;
    rows[at] = mergedText(known, row);
  }
  return `[${rows.join(',')}]`;
}

export function withoutRow(rows: string, id: string, rules: Pick<RowRules, 'idName'>): string {
  return `[${elementsOf(rows)
    .filter((row) => idOf(row, rules) !== id)
    .join(',')}]`;
}

/** The ids of all rows, as texts of JSON. */
export function rowIds(rows: string | undefined, { idName }: Pick<RowRules, 'idName'>): string[] {
  if (rows?.startsWith('[') !== true) return [];
  return elementsOf(rows).map((row) => membersOf(row).get(idName) ?? 'null');
}

function idOf(row: string, { idName }: Pick<RowRules, 'idName'>): string | undefined {
  return scalarOf(membersOf(row).get(idName));
}
