import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../platform/http/access.js';
import { Credentials } from '../../platform/http/credentials.js';
import { JsonBody } from '../../platform/http/json-body.pipe.js';
import { jsonText, parseJson } from '../../platform/http/raw-body.js';
import { sendJson } from '../../platform/http/render-json.js';
import { DiscardDocs, EditDocs, ReplayDocs } from './dead-letters.docs.js';
import { EditRequest, LetterRequest } from './dead-letters.dto.js';
import { DiscardLetter, type LetterDiscarded } from './discard-letter.js';
import { EditLetter } from './edit-letter.js';
import { checkLetterId, readWish, type LetterWish } from './letter-wish.js';
import { ReplayLetter, type LetterReplayed } from './replay-letter.js';
import type { Replayed } from './replay-webhook.js';

/** The ways out for one letter. */
@Controller('v1/admin/dead-letters/:letter_id')
@Access({ kind: 'role', role: 'operator' })
export class LetterRepairsController {
  constructor(
    private readonly replays: ReplayLetter,
    private readonly edits: EditLetter,
    private readonly discards: DiscardLetter,
    private readonly credentials: Credentials,
  ) {}

  @Post('replay')
  @HttpCode(200)
  @ReplayDocs()
  async replay(
    @Param('letter_id') letterId: string,
    @JsonBody(LetterRequest) body: LetterRequest,
    @Req() request: FastifyRequest,
  ): Promise<LetterReplayed | Replayed> {
    return this.replays.replay(this.wishOf(letterId, request, body));
  }

  @Post('edit')
  @HttpCode(200)
  @EditDocs()
  async edit(
    @Param('letter_id') letterId: string,
    @JsonBody(EditRequest) body: EditRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const wish = this.wishOf(letterId, request, body);
    // Read once more from the text: the checked body has no numbers any more, and an edit must not lose a digit.
    return sendJson(reply, await this.edits.edit(wish, parseJson(jsonText(request), 'payload')));
  }

  @Post('discard')
  @HttpCode(200)
  @DiscardDocs()
  async discard(
    @Param('letter_id') letterId: string,
    @JsonBody(LetterRequest) body: LetterRequest,
    @Req() request: FastifyRequest,
  ): Promise<LetterDiscarded> {
    return this.discards.discard(this.wishOf(letterId, request, body));
  }

  private wishOf(letterId: string, request: FastifyRequest, body: LetterRequest): LetterWish {
    checkLetterId(letterId);
    return { letterId, ifMatch: request.headers['if-match'], ...readWish(request, body, this.credentials) };
  }
}
