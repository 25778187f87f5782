import { Module } from '@nestjs/common';
import { ConflictsModule } from '../conflicts/conflicts.module.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { EntitiesModule } from '../entities/entities.module.js';
import { IdMapModule } from '../id-map/id-map.module.js';
import { InboxModule } from '../inbox/inbox.module.js';
import { ParkingModule } from '../parking/parking.module.js';
import { TraceModule } from '../trace/trace.module.js';
import { WorkModule } from '../work/work.module.js';
import { AwaitReferences } from './await-references.js';
import { DecideBatch } from './decide-batch.js';
import { EventLanes } from './event-lanes.js';
import { EventRetryWorker } from './event.worker.js';
import { EventRunner } from './event-runner.js';
import { ParkedEvents } from './parked-events.js';
import { ProcessEvent } from './process-event.js';
import { ResolveEvents } from './resolve-events.js';

/** In: accepted events under a claim. Out: their effects, committed once. Conducts the stores and owns no table. */
@Module({
  imports: [
    ConflictsModule,
    DeliveryModule,
    EntitiesModule,
    IdMapModule,
    InboxModule,
    ParkingModule,
    TraceModule,
    WorkModule,
  ],
  providers: [
    AwaitReferences,
    DecideBatch,
    EventLanes,
    EventRetryWorker,
    EventRunner,
    ParkedEvents,
    ProcessEvent,
    ResolveEvents,
  ],
})
export class ProcessEventModule {}
