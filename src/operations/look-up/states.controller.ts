import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Contract } from '../../domain/contract/contract.js';
import { quoted } from '../../domain/quoted.js';
import { mermaidOf } from '../../domain/state-machine/mermaid-of.js';
import type { StateGraph } from '../../domain/state-machine/state-graph.js';
import { SyncError } from '../../domain/sync-error.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { Access } from '../../platform/http/access.js';
import { readQuery } from '../../platform/http/page-query.js';
import { sendJson } from '../../platform/http/render-json.js';
import { StatesDocs } from './states.docs.js';

/** The states that entities of a type go through, as the contract declares them. */
@Controller('v1/entity-types')
@Access({ kind: 'role', role: 'viewer' })
export class StatesController {
  constructor(@Inject(CONTRACT) private readonly contract: Contract) {}

  @Get(':entity_type/states')
  @StatesDocs()
  states(
    @Param('entity_type') entityType: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string {
    const { format } = readQuery(request, ['format']);
    if (format !== undefined && format !== 'json' && format !== 'mermaid') {
      throw new SyncError('request.invalid', `\`format\` is json or mermaid, not ${quoted(format)}.`);
    }
    const graph = this.graphOf(entityType);
    if (format === 'mermaid') {
      void reply.type('text/plain; charset=utf-8');
      return mermaidOf(graph);
    }
    return sendJson(reply, {
      entity_type: entityType,
      initial: graph.initial,
      states: [...graph.states].map(([name, next]) => ({ name, next, is_terminal: next.length === 0 })),
      is_cyclic: graph.isCyclic,
      mermaid: mermaidOf(graph),
    });
  }

  private graphOf(name: string): StateGraph {
    const entityType = this.contract.entityTypes.get(name);
    if (entityType?.states !== undefined) return entityType.states;
    const detail =
      entityType === undefined
        ? `The contract has no entity type ${quoted(name)}.`
        : `The contract declares no states of \`${name}\`.`;
    throw new SyncError('states.not_found', detail);
  }
}
