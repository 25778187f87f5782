import { Injectable } from '@nestjs/common';
import { parseInternalId, type InternalId } from '../../domain/ids.js';
import type { Tx } from '../../platform/database/database.js';
import type { Alarm } from '../../platform/queues/alarms.js';
import type { DeadLetter } from '../work/dead-letter.js';
import { DeadLettersService } from '../work/dead-letters.service.js';
import { findDelivery, lockDelivery, markDeadDue } from './deliveries.sql.js';
import type { Delivery } from './delivery.js';

/** Deliveries that were given up, when a person takes them up again. The delivery is locked before its work, as everywhere. */
@Injectable()
export class DeadDeliveriesService {
  constructor(private readonly letters: DeadLettersService) {}

  /**
   * Due now, with all its attempts before it. What is sent is the newest state, whatever was to be sent at first.
   *
   * @returns the alarm to set after the commit; undefined when the letter is no longer as it was seen
   */
  async revive(tx: Tx, letter: DeadLetter): Promise<Alarm | undefined> {
    const { topic: target, key } = letter;
    const internalId = entityOf(letter);
    await lockDelivery(tx, target, internalId);
    const wake = await this.letters.revive(tx, letter);
    if (wake === undefined) return undefined;
    await markDeadDue(tx, [{ target, internalId }]);
    return { target, workKey: key, wake, delayMs: 0 };
  }

  async find(tx: Tx, letter: DeadLetter): Promise<Delivery | undefined> {
    return (await findDelivery(tx, letter.topic, entityOf(letter)))[0];
  }
}

function entityOf({ key, internal_id }: DeadLetter): InternalId {
  const internalId = parseInternalId(internal_id ?? '');
  if (internalId === undefined) throw new Error(`Delivery work ${key} names no entity.`);
  return internalId;
}
