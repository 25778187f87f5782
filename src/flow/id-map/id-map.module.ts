import { Module } from '@nestjs/common';
import { ParkingModule } from '../parking/parking.module.js';
import { IdMapService } from './id-map.service.js';
import { LinkService } from './link.service.js';
import { PendingCreateService } from './pending-create.service.js';

@Module({
  imports: [ParkingModule],
  providers: [IdMapService, LinkService, PendingCreateService],
  exports: [IdMapService, LinkService, PendingCreateService],
})
export class IdMapModule {}
