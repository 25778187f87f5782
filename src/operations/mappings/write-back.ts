import { Injectable } from '@nestjs/common';
import { linkSubject } from '../../domain/business-key.js';
import type { InternalId } from '../../domain/ids.js';
import { ConflictsService } from '../../flow/conflicts/conflicts.service.js';
import { LinkService, type LinkOutcome } from '../../flow/id-map/link.service.js';
import { DeliveriesService } from '../../flow/delivery/deliveries.service.js';
import { Database } from '../../platform/database/database.js';
import { Alarms } from '../../platform/queues/alarms.js';

export interface LinkWish {
  readonly system: string;
  readonly entityType: string;
  readonly externalId: string;
  readonly rawExternalId: string;
  readonly internalId: InternalId;
}

/** Takes a link from outside. A rival one is never overwritten and never dropped: it becomes a question for a person. */
@Injectable()
export class WriteBack {
  constructor(
    private readonly database: Database,
    private readonly links: LinkService,
    private readonly conflicts: ConflictsService,
    private readonly deliveries: DeliveriesService,
    private readonly alarms: Alarms,
  ) {}

  /**
   * Where a delivery to that system had been given up, it is taken up again: also by a link that was there already, so
   * that a writer whose first answer was lost leaves nothing undone.
   */
  async link(wish: LinkWish): Promise<LinkOutcome> {
    const outcome = await this.links.link(wish);
    if (outcome.kind !== 'taken') {
      const linked = { target: wish.system, internalId: wish.internalId };
      await this.alarms.set(await this.database.transaction(async (tx) => this.deliveries.want(tx, [], [linked])));
    } else {
      const { system, entityType, externalId, internalId } = wish;
      await this.conflicts.record(this.database, [
        {
          kind: 'link',
          subject: linkSubject({ system, entityType, externalId, internalId }),
          system,
          entityType,
          externalId,
          internalId,
          candidates: [
            { role: 'asked', system, external_id: externalId, internal_id: internalId },
            { role: 'held', system, external_id: outcome.holder.external_id, internal_id: outcome.holder.internal_id },
          ],
        },
      ]);
    }
    return outcome;
  }
}
