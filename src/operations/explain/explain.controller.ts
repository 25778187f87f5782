import { Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Contract } from '../../domain/contract/contract.js';
import { SyncError } from '../../domain/sync-error.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { Access } from '../../platform/http/access.js';
import { readExplainRequest } from './explain-request.js';
import { ExplainDocs } from './explain.docs.js';
import { ExplainService, type Explained } from './explain.service.js';

/** "What would you make of this?", asked before a hook is switched on. */
@Controller('v1/keys/explain')
export class ExplainController {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly service: ExplainService,
  ) {}

  @Post()
  @HttpCode(200)
  @Access({ kind: 'role_or_system', role: 'viewer' })
  @ExplainDocs()
  async explain(
    @Req() request: FastifyRequest,
  ): Promise<{ readonly results: readonly Explained[]; readonly left_off?: number }> {
    const wish = readExplainRequest(request, this.contract);
    const caller = request.caller?.system;
    if (caller !== undefined && caller.name !== wish.system.name) {
      throw new SyncError('access.denied', `${caller.name} may ask about what it sends itself only.`);
    }
    const { results, leftOff } = await this.service.explain(wish);
    return { results, ...(leftOff === 0 ? {} : { left_off: leftOff }) };
  }
}
