import { Controller, Get, HttpCode, Inject, Param, Post, Put, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { composeKey } from '../../domain/business-key.js';
import type { Contract, System } from '../../domain/contract/contract.js';
import { normalizeExternalId } from '../../domain/external-id.js';
import { parseInternalId } from '../../domain/ids.js';
import { quoted } from '../../domain/quoted.js';
import { SyncError } from '../../domain/sync-error.js';
import { EntitiesService } from '../../flow/entities/entities.service.js';
import { IdMapService } from '../../flow/id-map/id-map.service.js';
import type { Mapping } from '../../flow/id-map/mapping.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { Database } from '../../platform/database/database.js';
import { Access } from '../../platform/http/access.js';
import { JsonBody } from '../../platform/http/json-body.pipe.js';
import { readQuery } from '../../platform/http/page-query.js';
import { sendJson } from '../../platform/http/render-json.js';
import { mappingView } from './mapping-view.js';
import { MappingDocs, ResolveDocs, WriteBackDocs } from './mappings.docs.js';
import { ResolveRequest, WriteBackRequest, type ExternalReference } from './mappings.dto.js';
import { WriteBack } from './write-back.js';

/** The map for everybody: which entity has this id, which ids has it elsewhere, and this is the id that it got. */
@Controller('v1/mappings')
export class MappingsController {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly database: Database,
    private readonly idMap: IdMapService,
    private readonly entities: EntitiesService,
    private readonly writeBack: WriteBack,
  ) {}

  @Get(':system/:entity_type/:external_id')
  @Access({ kind: 'role', role: 'viewer' })
  @MappingDocs()
  async one(
    @Param() reference: ExternalReference,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    readQuery(request, []);
    const key = this.keyOf(reference);
    const [mapping] = await this.idMap.lookUp(this.database, [key]);
    if (mapping === undefined) {
      const detail = `${key.system} has no ${key.entity_type} \`${key.external_id}\` that we know of.`;
      throw new SyncError('mapping.not_found', detail);
    }
    const siblings = await this.idMap.mappingsOf(this.database, mapping.internal_id);
    return sendJson(reply, {
      internal_id: mapping.internal_id,
      entity_type: mapping.entity_type,
      mappings: siblings.map(mappingView),
    });
  }

  @Post('resolve')
  @HttpCode(200)
  @Access({ kind: 'role', role: 'viewer' })
  @ResolveDocs()
  async resolve(
    @JsonBody(ResolveRequest) { items, to }: ResolveRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (to !== undefined) this.systemOf(to);
    const keys = items.map((item) => this.keyOf(item));
    const found = new Map((await this.idMap.lookUp(this.database, keys)).map((row) => [textOf(row), row]));
    const internalIds = [...found.values()].map(({ internal_id }) => internal_id);
    const primaries = to === undefined ? [] : await this.idMap.primariesIn(this.database, to, internalIds);
    const there = new Map(primaries.map((row) => [row.internal_id, row.raw_external_id ?? row.external_id]));
    const results = keys.map((key) => {
      const mapping = found.get(textOf(key));
      if (mapping === undefined) return { found: false };
      const { internal_id } = mapping;
      return to === undefined
        ? { found: true, internal_id }
        : { found: true, internal_id, external_id: there.get(internal_id) ?? null };
    });
    return sendJson(reply, { results });
  }

  @Put()
  @Access({ kind: 'role_or_system', role: 'operator' })
  @WriteBackDocs()
  async write(
    @JsonBody(WriteBackRequest) body: WriteBackRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { system, entity_type: entityType, external_id: externalId } = this.keyOf(body);
    const caller = request.caller?.system;
    if (caller !== undefined && caller.name !== system) {
      throw new SyncError('access.denied', `${caller.name} may write back its own ids only.`);
    }
    const internalId = parseInternalId(body.internal_id);
    const entity = internalId === undefined ? undefined : await this.entities.find(this.database, internalId);
    if (internalId === undefined || entity?.entity_type !== entityType) {
      throw new SyncError('entity.not_found', `There is no ${entityType} \`${body.internal_id}\`.`, {
        at: '/internal_id',
      });
    }
    const rawExternalId = body.external_id;
    const outcome = await this.writeBack.link({ system, entityType, externalId, rawExternalId, internalId });
    if (outcome.kind === 'taken') throw conflict(outcome.holder);
    void reply.status(outcome.kind === 'new' ? 201 : 200);
    const siblings = await this.idMap.mappingsOf(this.database, internalId);
    return sendJson(reply, { internal_id: internalId, entity_type: entityType, mappings: siblings.map(mappingView) });
  }

  private keyOf(reference: ExternalReference): { system: string; entity_type: string; external_id: string } {
    const system = this.systemOf(reference.system);
    if (!this.contract.entityTypes.has(reference.entity_type)) {
      throw new SyncError('entity_type.unknown', `The contract has no entity type ${quoted(reference.entity_type)}.`);
    }
    const id = normalizeExternalId(reference.external_id, system.externalIds);
    if (id.kind === 'unusable') {
      throw new SyncError('id.invalid', `The external id ${id.problem}.`, { at: '/external_id' });
    }
    return { system: system.name, entity_type: reference.entity_type, external_id: id.externalId };
  }

  private systemOf(name: string): System {
    const system = this.contract.systems.get(name);
    if (system !== undefined) return system;
    throw new SyncError('system.unknown', `The contract has no system ${quoted(name)}.`);
  }
}

function textOf(key: { system: string; entity_type: string; external_id: string | null }): string {
  return composeKey([key.system, key.entity_type, key.external_id ?? '']);
}

function conflict(holder: Mapping): SyncError {
  const held = `${holder.system} \`${holder.external_id ?? ''}\` is linked to ${holder.internal_id}`;
  return new SyncError('mapping.conflict', `${held}; the question is recorded for a person to decide.`);
}
