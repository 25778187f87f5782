import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Contract } from '../../domain/contract/contract.js';
import { parseInternalId, type InternalId } from '../../domain/ids.js';
import { quoted } from '../../domain/quoted.js';
import { parseReferences } from '../../domain/record-references.js';
import { SyncError } from '../../domain/sync-error.js';
import { DeliveriesService } from '../../flow/delivery/deliveries.service.js';
import { EntitiesService } from '../../flow/entities/entities.service.js';
import type { RecordRow } from '../../flow/entities/entity-view.js';
import { IdMapService } from '../../flow/id-map/id-map.service.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { Database } from '../../platform/database/database.js';
import { Access } from '../../platform/http/access.js';
import { readQuery } from '../../platform/http/page-query.js';
import { RawJson, sendJson } from '../../platform/http/render-json.js';
import { mappingView } from '../mappings/mapping-view.js';
import { deliveryView } from './event-view.js';
import { EntityDocs } from './look-up.docs.js';
import { entityStatesView } from './states-view.js';

/** The thing itself: composed data, what each source says, its ids everywhere, and who has which revision. */
@Controller('v1/entities')
@Access({ kind: 'role', role: 'viewer' })
export class EntityLookUpController {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly database: Database,
    private readonly entities: EntitiesService,
    private readonly idMap: IdMapService,
    private readonly deliveries: DeliveriesService,
  ) {}

  @Get(':entity_type/:internal_id')
  @EntityDocs()
  async one(
    @Param('entity_type') entityType: string,
    @Param('internal_id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    readQuery(request, []);
    const internalId = parseInternalId(id);
    const found = internalId === undefined ? undefined : await this.find(internalId);
    if (found?.entity.entity_type !== entityType) {
      throw new SyncError('entity.not_found', `There is no ${quoted(entityType)} ${quoted(id)}.`);
    }
    const { entity, records, mappings, deliveries } = found;
    return sendJson(reply, {
      internal_id: entity.internal_id,
      entity_type: entityType,
      revision: entity.revision,
      deleted: entity.is_deleted ? true : undefined,
      ...entityStatesView(entity, this.contract.entityTypes.get(entityType)?.states),
      data: new RawJson(entity.data),
      created_at: entity.created_at,
      updated_at: entity.updated_at,
      records: records.map((record) => ({
        source: record.source,
        system: record.system,
        external_id: record.external_id,
        order_value: record.order_value,
        deleted: record.is_deleted ? true : undefined,
        data: new RawJson(record.data),
        last_event_id: record.last_event_id,
      })),
      references: records.flatMap(referenceViews),
      mappings: mappings.map(mappingView),
      deliveries: deliveries.map((delivery) => deliveryView(delivery)),
    });
  }

  private find(internalId: InternalId) {
    return this.database.snapshot(async (tx) => {
      const entity = await this.entities.find(tx, internalId);
      if (entity === undefined) return undefined;
      return {
        entity,
        records: await this.entities.recordsOf(tx, internalId),
        mappings: await this.idMap.mappingsOf(tx, internalId),
        deliveries: await this.deliveries.ofEntities(tx, [internalId]),
      };
    });
  }
}

/** Which entities a record refers to; the path leads to the id in the payload of its source. */
function referenceViews({ refs, source }: RecordRow) {
  return [...parseReferences(refs).values()].flatMap(({ references }) =>
    references.map(({ path, entityType, internalId }) => ({
      path,
      entity_type: entityType,
      internal_id: internalId,
      source,
    })),
  );
}
