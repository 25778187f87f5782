import { Module, type DynamicModule } from '@nestjs/common';
import { ConflictsModule } from '../conflicts/conflicts.module.js';
import { EntitiesModule } from '../entities/entities.module.js';
import { IdMapModule } from '../id-map/id-map.module.js';
import { InboxModule } from '../inbox/inbox.module.js';
import { TraceModule } from '../trace/trace.module.js';
import { WorkModule } from '../work/work.module.js';
import { BringUpToDate } from './bring-up-to-date.js';
import { Deliver } from './deliver.js';
import { DeliverySweep } from './delivery-sweep.js';
import { deliveryWorkerOf } from './delivery.worker.js';
import { PrepareAttempt } from './prepare-attempt.js';
import { RecordAttempt } from './record-attempt.js';
import { TargetClient } from './target-client.js';

/** In: alarms and overdue work. Out: calls to targets, and what they reached. One worker per target. */
@Module({})
export class DeliveryWorkersModule {
  static for(targets: readonly string[]): DynamicModule {
    return {
      module: DeliveryWorkersModule,
      imports: [ConflictsModule, EntitiesModule, IdMapModule, InboxModule, TraceModule, WorkModule],
      providers: [
        BringUpToDate,
        Deliver,
        DeliverySweep,
        PrepareAttempt,
        RecordAttempt,
        TargetClient,
        ...targets.map((target) => deliveryWorkerOf(target)),
      ],
    };
  }
}
