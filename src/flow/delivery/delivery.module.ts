import { Module } from '@nestjs/common';
import { TraceModule } from '../trace/trace.module.js';
import { WorkModule } from '../work/work.module.js';
import { DeadDeliveriesService } from './dead-deliveries.service.js';
import { DeliveriesService } from './deliveries.service.js';

/** What each target should have. Owns `deliveries`. The attempts are made in `DeliveryWorkersModule`. */
@Module({
  imports: [TraceModule, WorkModule],
  providers: [DeliveriesService, DeadDeliveriesService],
  exports: [DeliveriesService, DeadDeliveriesService],
})
export class DeliveryModule {}
