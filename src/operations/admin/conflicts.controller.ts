import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SyncError } from '../../domain/sync-error.js';
import { ConflictsService } from '../../flow/conflicts/conflicts.service.js';
import { Database } from '../../platform/database/database.js';
import { Access } from '../../platform/http/access.js';
import { pageOf, readCursor, readLimit, readQuery } from '../../platform/http/page-query.js';
import { RawJson, sendJson } from '../../platform/http/render-json.js';
import { ConflictListDocs } from './admin.docs.js';

const STATUSES = ['open', 'decided'];
const KINDS = ['key', 'version', 'link', 'find'];

/** Questions that only a person may decide. */
@Controller('v1/admin/conflicts')
@Access({ kind: 'role', role: 'operator' })
export class ConflictsController {
  constructor(
    private readonly database: Database,
    private readonly conflicts: ConflictsService,
  ) {}

  @Get()
  @ConflictListDocs()
  async list(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const query = readQuery(request, ['status', 'kind', 'cursor', 'limit']);
    const status = oneOf('status', query.status ?? 'open', STATUSES);
    const kind = query.kind === undefined ? null : oneOf('kind', query.kind, KINDS);
    const limit = readLimit(query.limit);
    const filter = { status, kind, before: readCursor(query.cursor), limit: limit + 1 };
    const rows = await this.conflicts.list(this.database, filter);
    const page = pageOf(
      rows,
      limit,
      (row) => row.conflict_id,
      ({ candidates, subject: _subject, ...row }) => ({ ...row, candidates: new RawJson(candidates) }),
    );
    return sendJson(reply, page);
  }
}

function oneOf(name: string, value: string, known: readonly string[]): string {
  if (known.includes(value)) return value;
  throw new SyncError('request.invalid', `\`${name}\` is one of ${known.join(', ')}.`);
}
