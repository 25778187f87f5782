import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { compareContracts } from '../../domain/contract/compare-contracts.js';
import type { ContractChange, DangerousChange } from '../../domain/contract/contract-change.js';
import { Database, type Tx } from '../../platform/database/database.js';
import {
  findActiveContract,
  findContract,
  insertActiveContract,
  listContracts,
  lockActivations,
  reactivateContract,
  type Acceptance,
} from './contracts.sql.js';
import { countDangers, findDangers, type Danger } from './count-endangered.js';
import type { KeptContract, KeptText } from './kept-contract.js';

export type Activation =
  | { readonly kind: 'active'; readonly number: number }
  /** It contradicts what is stored under the contract with this number, and nobody has accepted that. */
  | { readonly kind: 'refused'; readonly against: number; readonly dangers: readonly Danger[] };

/** What a contract would do if it became the active one. */
export interface Preview {
  /** The number of the active contract; undefined before the first start. */
  readonly against: number | undefined;
  readonly changes: readonly ContractChange[];
  /** Those of the changes that contradict what is stored, counted. */
  readonly dangers: readonly Danger[];
}

/**
 * Which contract holds. Every text that was ever active has a number, the same one whenever it is active again. One
 * that contradicts what is stored under the active contract does not become active until somebody has accepted it.
 * Owns `contracts`.
 */
@Injectable()
export class ContractsService {
  constructor(private readonly database: Database) {}

  /**
   * Makes this text the active contract, unless it contradicts what is stored. Processes that start at once with one
   * text get one number; of two texts that contradict one another one is refused. A process that runs already with
   * another text is not told: it goes on under its own number, and its next start is checked like any other.
   *
   * @param acceptance of the changes against the contract of that number; it counts for nothing once another is active
   */
  async activate(text: string, acceptance?: Acceptance): Promise<Activation> {
    const hash = createHash('sha256').update(text).digest('hex');
    for (;;) {
      const former = await findActiveContract(this.database);
      if (former?.hash === hash) return { kind: 'active', number: former.number };
      const dangers = former === undefined ? [] : await findDangers(this.database, dangerousAmong(former.text, text));
      const isAccepted = acceptance !== undefined && acceptance.against === former?.number;
      if (former !== undefined && dangers.length > 0 && !isAccepted) {
        return { kind: 'refused', against: former.number, dangers };
      }
      const accepted = dangers.length > 0 ? acceptance : undefined;
      const number = await this.activateAfter(former, { hash, text }, accepted);
      if (number !== undefined) return { kind: 'active', number };
    }
  }

  /**
   * Rows are looked for before the lock is taken, because that may take long where there are none. So the text is
   * active only if the contract that it was compared with still is. Undefined: it is not, so compare again.
   */
  private async activateAfter(
    former: KeptText | undefined,
    contract: { readonly hash: string; readonly text: string },
    acceptance: Acceptance | undefined,
  ): Promise<number | undefined> {
    return this.database.transaction(async (tx) => {
      await lockActivations(tx);
      const active = await findActiveContract(tx);
      return active?.number === former?.number ? await makeActive(tx, contract, acceptance) : undefined;
    });
  }

  /** What would happen, with everything counted; nothing is changed. */
  async preview(text: string): Promise<Preview> {
    const active = await findActiveContract(this.database);
    if (active === undefined) return { against: undefined, changes: [], dangers: [] };
    const changes = compareContracts(active.text, text);
    const dangers = await countDangers(this.database, changes.filter(isDangerous));
    return { against: active.number, changes, dangers };
  }

  list(): Promise<KeptContract[]> {
    return listContracts(this.database);
  }

  find(number: number): Promise<KeptText | undefined> {
    return findContract(this.database, number);
  }
}

function dangerousAmong(before: string, after: string): readonly DangerousChange[] {
  return compareContracts(before, after).filter(isDangerous);
}

function isDangerous(change: ContractChange): change is DangerousChange {
  return change.endangers !== undefined;
}

/** A text that is kept already loses the insert, and is made active under its old number in a second statement. */
async function makeActive(
  tx: Tx,
  contract: { readonly hash: string; readonly text: string },
  acceptance: Acceptance | undefined,
): Promise<number> {
  const number =
    (await insertActiveContract(tx, contract, acceptance)) ?? (await reactivateContract(tx, contract.hash, acceptance));
  if (number === undefined) throw new Error('The contract is kept and cannot be found.');
  return number;
}
