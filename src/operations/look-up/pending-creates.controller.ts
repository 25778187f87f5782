import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Contract } from '../../domain/contract/contract.js';
import { SyncError } from '../../domain/sync-error.js';
import { IdMapService } from '../../flow/id-map/id-map.service.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { Database } from '../../platform/database/database.js';
import { Access } from '../../platform/http/access.js';
import { pageOf, readCursor, readLimit, readQuery } from '../../platform/http/page-query.js';
import { sendJson } from '../../platform/http/render-json.js';
import { PendingCreateDocs } from './look-up.docs.js';

/** Records that targets do not have yet. */
@Controller('v1/pending-creates')
@Access({ kind: 'role', role: 'viewer' })
export class PendingCreatesController {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly database: Database,
    private readonly idMap: IdMapService,
  ) {}

  @Get()
  @PendingCreateDocs()
  async list(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { system, cursor, limit: limitText } = readQuery(request, ['system', 'cursor', 'limit']);
    if (system !== undefined && !this.contract.systems.has(system)) {
      throw new SyncError('system.unknown', `The contract has no system \`${system}\`.`);
    }
    const limit = readLimit(limitText);
    const filter = { system: system ?? null, after: readCursor(cursor), limit: limit + 1 };
    const rows = await this.idMap.pendingCreates(this.database, filter);
    const page = pageOf(
      rows,
      limit,
      (row) => row.mapping_id,
      (row) => ({
        pending_create_id: row.mapping_id,
        system: row.system,
        entity_type: row.entity_type,
        internal_id: row.internal_id,
        state: row.state,
        created_at: row.created_at,
        updated_at: row.updated_at,
      }),
    );
    return sendJson(reply, page);
  }
}
