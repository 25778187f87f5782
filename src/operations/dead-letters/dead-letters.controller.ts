import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { InboxService } from '../../flow/inbox/inbox.service.js';
import { letterTag } from '../../flow/work/dead-letter.js';
import { Database } from '../../platform/database/database.js';
import { Access } from '../../platform/http/access.js';
import { readLimit, readQuery } from '../../platform/http/page-query.js';
import { sendJson } from '../../platform/http/render-json.js';
import { LetterDocs, LetterGroupsDocs, LetterListDocs } from './dead-letters.docs.js';
import {
  findDeliveryAttempts,
  findEventAttempts,
  findLetter,
  groupLetters,
  listLetters,
  type AttemptRow,
  type LetterRow,
} from './dead-letters.sql.js';
import { FILTER_WORDS, readLetterCursor, readLetterFilter, writeLetterCursor } from './letter-filter.js';
import { attemptView, contentView, groupView, letterView, replayInWords } from './letter-view.js';
import { checkLetterId, letterNotFound } from './letter-wish.js';

const GROUPS_MAX = 500;
const ATTEMPTS_MAX = 100;

/** What was given up, and why. Reads only. */
@Controller('v1/admin/dead-letters')
@Access({ kind: 'role', role: 'viewer' })
export class DeadLettersController {
  constructor(
    private readonly database: Database,
    private readonly inbox: InboxService,
  ) {}

  @Get()
  @LetterListDocs()
  async list(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const query = readQuery(request, [...FILTER_WORDS, 'cursor', 'limit']);
    const limit = readLimit(query.limit);
    const after = readLetterCursor(query.cursor);
    const rows = await listLetters(this.database, readLetterFilter(query), after, limit + 1);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    const nextCursor = last && writeLetterCursor({ dead_at: last.dead_at, key: last.letter_id });
    return sendJson(reply, { items: shown.map(letterView), next_cursor: nextCursor });
  }

  @Get('groups')
  @LetterGroupsDocs()
  async groups(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const filter = readLetterFilter(readQuery(request, FILTER_WORDS));
    const rows = await groupLetters(this.database, filter, GROUPS_MAX + 1);
    const items = rows.slice(0, GROUPS_MAX).map(groupView);
    return sendJson(reply, { is_complete: rows.length <= GROUPS_MAX, items });
  }

  @Get(':letter_id')
  @LetterDocs()
  async one(
    @Param('letter_id') letterId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    readQuery(request, []);
    checkLetterId(letterId);
    const [letter] = await findLetter(this.database, letterId);
    if (letter === undefined) throw letterNotFound(letterId);
    const [event] = letter.event_id === null ? [] : await this.inbox.events([letter.event_id]);
    void reply.header('etag', letterTag(letter));
    return sendJson(reply, {
      ...letterView(letter),
      ...(event === undefined ? {} : contentView(event)),
      history: (await this.attemptsOf(letter)).map(attemptView),
      replay: replayInWords(letter),
    });
  }

  private attemptsOf({ kind, topic, internal_id, event_id }: LetterRow): Promise<AttemptRow[]> {
    if (kind === 'delivery' && internal_id !== null) {
      return findDeliveryAttempts(this.database, topic, internal_id, ATTEMPTS_MAX);
    }
    return event_id === null ? Promise.resolve([]) : findEventAttempts(this.database, event_id, ATTEMPTS_MAX);
  }
}
