import type { Tx } from '../../platform/database/database.js';
import type { KeptContract, KeptText } from './kept-contract.js';

const COLUMNS = `contracts.number, contracts.hash, contracts.first_active_at, contracts.active_since,
  contracts.accepted_by, contracts.accepted_at, contracts.accepted_against,
  contracts.activation = (SELECT max(newest.activation) FROM contracts newest) AS is_active`;

/** One activation after the other, until the transaction ends; reading goes on meanwhile. */
export async function lockActivations(tx: Tx): Promise<void> {
  await tx.query('LOCK TABLE contracts IN SHARE ROW EXCLUSIVE MODE');
}

/** Who accepted a contract that contradicts what is stored, and the number that it was compared with. */
export interface Acceptance {
  readonly by: string;
  readonly against: number;
}

/**
 * Keeps a text that was never active and makes it the active one. Under `lockActivations`, which keeps others from
 * drawing the same numbers. Undefined: the text is kept already; reactivate it in a second statement.
 */
export async function insertActiveContract(
  tx: Tx,
  { hash, text }: { readonly hash: string; readonly text: string },
  acceptance: Acceptance | undefined,
): Promise<number | undefined> {
  const [inserted] = await tx.query<{ number: number }>(
    `INSERT INTO contracts (number, hash, text, activation, accepted_by, accepted_at, accepted_against)
     SELECT coalesce(max(kept.number), 0) + 1, $1, $2, coalesce(max(kept.activation), 0) + 1, $3,
            CASE WHEN $3::text IS NOT NULL THEN now() END, $4::integer
       FROM contracts kept
     ON CONFLICT (hash) DO NOTHING
     RETURNING number`,
    [hash, text, acceptance?.by ?? null, acceptance?.against ?? null],
  );
  return inserted?.number;
}

/** Makes a text active that was so before, under its old number. Undefined: it is not kept. */
export async function reactivateContract(
  tx: Tx,
  hash: string,
  acceptance: Acceptance | undefined,
): Promise<number | undefined> {
  const [active] = await tx.query<{ number: number }>(
    `UPDATE contracts
        SET activation = (SELECT max(kept.activation) + 1 FROM contracts kept), active_since = now(),
            accepted_by = coalesce($2, contracts.accepted_by),
            accepted_at = CASE WHEN $2::text IS NULL THEN contracts.accepted_at ELSE now() END,
            accepted_against = coalesce($3::integer, contracts.accepted_against)
      WHERE contracts.hash = $1
     RETURNING contracts.number`,
    [hash, acceptance?.by ?? null, acceptance?.against ?? null],
  );
  return active?.number;
}

/** The contract that was activated last; undefined before the first start. */
export async function findActiveContract(tx: Tx): Promise<KeptText | undefined> {
  const [active] = await tx.query<KeptText>(
    `SELECT ${COLUMNS}, contracts.text FROM contracts ORDER BY contracts.activation DESC LIMIT 1`,
  );
  return active;
}

export async function findContract(tx: Tx, number: number): Promise<KeptText | undefined> {
  const [found] = await tx.query<KeptText>(
    `SELECT ${COLUMNS}, contracts.text FROM contracts WHERE contracts.number = $1`,
    [number],
  );
  return found;
}

/** All of them, the greatest number first. */
export function listContracts(tx: Tx): Promise<KeptContract[]> {
  return tx.query<KeptContract>(`SELECT ${COLUMNS} FROM contracts ORDER BY contracts.number DESC`);
}
