import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Database } from '../../platform/database/database.js';
import { Access } from '../../platform/http/access.js';
import { pageOf, readQuery } from '../../platform/http/page-query.js';
import { RawJson, sendJson } from '../../platform/http/render-json.js';
import { AuditListDocs } from './audit.docs.js';
import { readAuditFilter } from './audit-filter.js';
import { listAudit } from './audit.sql.js';

const QUERY = ['actor', 'action', 'subject', 'correlation_id', 'from', 'to', 'cursor', 'limit'] as const;

/** Who did what by hand, when and why. Reads only. */
@Controller('v1/admin/audit')
@Access({ kind: 'role', role: 'operator' })
export class AuditController {
  constructor(private readonly database: Database) {}

  @Get()
  @AuditListDocs()
  async list(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const filter = readAuditFilter(readQuery(request, QUERY));
    const rows = await listAudit(this.database, { ...filter, limit: filter.limit + 1 });
    const page = pageOf(
      rows,
      filter.limit,
      (row) => row.audit_id,
      ({ before, after, ...row }) => ({ ...row, before: raw(before), after: raw(after) }),
    );
    return sendJson(reply, page);
  }
}

function raw(text: string | null): RawJson | undefined {
  return text === null ? undefined : new RawJson(text);
}
