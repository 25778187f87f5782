import { Module } from '@nestjs/common';
import { DeliveryModule } from '../../flow/delivery/delivery.module.js';
import { EntitiesModule } from '../../flow/entities/entities.module.js';
import { IdMapModule } from '../../flow/id-map/id-map.module.js';
import { InboxModule } from '../../flow/inbox/inbox.module.js';
import { TraceModule } from '../../flow/trace/trace.module.js';
import { EntityLookUpController } from './entities.controller.js';
import { EventLookUpController } from './events.controller.js';
import { PendingCreatesController } from './pending-creates.controller.js';
import { StatesController } from './states.controller.js';
import { TracesController } from './traces.controller.js';

/** "Where is it?" for events, processes, entities and pending creates. Reads only. */
@Module({
  imports: [DeliveryModule, EntitiesModule, IdMapModule, InboxModule, TraceModule],
  controllers: [
    EventLookUpController,
    TracesController,
    EntityLookUpController,
    StatesController,
    PendingCreatesController,
  ],
})
export class LookUpModule {}
