import { Module } from '@nestjs/common';
import { WorkModule } from '../work/work.module.js';
import { ParkingService } from './parking.service.js';

@Module({ imports: [WorkModule], providers: [ParkingService], exports: [ParkingService] })
export class ParkingModule {}
