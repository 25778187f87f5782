import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compareContracts } from '../../domain/contract/compare-contracts.js';
import type { ContractChange } from '../../domain/contract/contract-change.js';
import { quoted } from '../../domain/quoted.js';
import { SyncError } from '../../domain/sync-error.js';
import { Access } from '../../platform/http/access.js';
import { readQuery } from '../../platform/http/page-query.js';
import { sendJson, type Renderable } from '../../platform/http/render-json.js';
import { ContractDiffDocs, ContractDocs, ContractListDocs } from './contracts.docs.js';
import { ContractsService } from './contracts.service.js';
import { changeLine, meaningOf } from './describe-change.js';
import type { KeptContract, KeptText } from './kept-contract.js';

/** The contracts that were active, by their numbers, and what one changed against another. Reads only. */
@Controller('v1/admin/contracts')
@Access({ kind: 'role', role: 'operator' })
export class ContractsController {
  constructor(private readonly contracts: ContractsService) {}

  @Get()
  @ContractListDocs()
  async list(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    readQuery(request, []);
    return sendJson(reply, { items: (await this.contracts.list()).map(contractView) });
  }

  @Get(':number')
  @ContractDocs()
  async one(
    @Param('number') number: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    readQuery(request, []);
    const contract = await this.find(number);
    return sendJson(reply, { ...contractView(contract), text: contract.text });
  }

  @Get(':number/diff')
  @ContractDiffDocs()
  async diff(
    @Param('number') number: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { against } = readQuery(request, ['against']);
    const after = await this.find(number);
    if (against === undefined && after.number === 1) {
      throw new SyncError(
        'request.invalid',
        'Before contract 1 there was none; say `against` which one to compare it.',
      );
    }
    const before = await this.find(against ?? String(after.number - 1));
    const changes = compareContracts(before.text, after.text).map(changeView);
    return sendJson(reply, { number: after.number, against: before.number, changes });
  }

  private async find(number: string): Promise<KeptText> {
    const isNumber = /^[1-9]\d{0,8}$/.test(number);
    const contract = isNumber ? await this.contracts.find(Number(number)) : undefined;
    if (contract === undefined) throw new SyncError('contract.not_found', `There is no contract ${quoted(number)}.`);
    return contract;
  }
}

function contractView(contract: KeptContract): { readonly [name: string]: Renderable } {
  return {
    number: contract.number,
    is_active: contract.is_active,
    hash: contract.hash,
    first_active_at: contract.first_active_at,
    active_since: contract.active_since,
    accepted_by: contract.accepted_by ?? undefined,
    accepted_at: contract.accepted_at ?? undefined,
    accepted_against: contract.accepted_against ?? undefined,
  };
}

function changeView(change: ContractChange): Renderable {
  return {
    kind: change.kind,
    path: change.path,
    line: change.position?.line,
    before: change.before,
    after: change.after,
    is_dangerous: change.endangers !== undefined,
    summary: changeLine(change),
    meaning: meaningOf(change.kind),
  };
}
