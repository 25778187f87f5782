import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/database/database.js';
import type { DeadLetter } from './dead-letter.js';
import { endDeadLetter, findDeadLetter, lockDeadLetter, reviveDeadLetter } from './dead-letters.sql.js';

/**
 * Dead letters in verbs. A letter is the work row itself, so a replay by hand and a retry by itself can never both be
 * pending, and of many who act on one letter at once one succeeds.
 */
@Injectable()
export class DeadLettersService {
  /** Undefined: there is none, or none any more. */
  async find(tx: Tx, key: string): Promise<DeadLetter | undefined> {
    return (await findDeadLetter(tx, key))[0];
  }

  /** @returns the wake number for an alarm; undefined when the letter is no longer as it was seen */
  async revive(tx: Tx, letter: DeadLetter): Promise<bigint | undefined> {
    return (await reviveDeadLetter(tx, letter))[0]?.wake;
  }

  /** The letter stays as it is until the transaction ends. False when it is no longer as it was seen. */
  async lock(tx: Tx, letter: DeadLetter): Promise<boolean> {
    return (await lockDeadLetter(tx, letter)).length > 0;
  }

  /** False when the letter is no longer as it was seen. */
  async end(tx: Tx, letter: DeadLetter): Promise<boolean> {
    return (await endDeadLetter(tx, letter)).length > 0;
  }
}
