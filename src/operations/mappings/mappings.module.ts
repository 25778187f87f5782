import { Module } from '@nestjs/common';
import { ConflictsModule } from '../../flow/conflicts/conflicts.module.js';
import { DeliveryModule } from '../../flow/delivery/delivery.module.js';
import { EntitiesModule } from '../../flow/entities/entities.module.js';
import { IdMapModule } from '../../flow/id-map/id-map.module.js';
import { MappingsController } from './mappings.controller.js';
import { WriteBack } from './write-back.js';

/** The map for people and systems: look-ups and write-backs. */
@Module({
  imports: [ConflictsModule, DeliveryModule, EntitiesModule, IdMapModule],
  controllers: [MappingsController],
  providers: [WriteBack],
})
export class MappingsModule {}
