import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiParam, ApiTags } from '@nestjs/swagger';
import { describeRoute } from '../../platform/http/describe-route.js';
import { READ_CODES, WRITE_CODES } from './dead-letters.docs.js';
import { BulkReplayRequest, LetterRequest } from './dead-letters.dto.js';

const REPLAY_ID = '01890a5d-c0de-7000-8000-000000000004';
const REPLAY = {
  replay_id: REPLAY_ID,
  status: 'running',
  filter: { target: 'erp', code: 'target.refused' },
  pace: 10,
  reason: 'The ERP takes such addresses again.',
  operator: 'ops',
  total: 120,
  done: 40,
  superseded: 2,
  failed: 0,
  started_at: '2025-01-01T04:10:00.000000Z',
};

export function BulkReplayDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Dead letters'),
    ApiBody({ type: BulkReplayRequest }),
    describeRoute({
      operationId: 'beginReplay',
      summary: 'Replay many letters at a pace',
      description:
        'Its letters are those that are dead now and fit the filter, the oldest first; one that dies again is not ' +
        'replayed twice. Any process carries it out, and it goes on when one of them ends.',
      security: ['access_key'],
      answers: {
        200: { description: 'How many letters it would be (`dry_run`).', example: { dry_run: true, total: 120 } },
        202: { description: 'It has begun.', example: { ...REPLAY, done: 0, superseded: 0 } },
      },
      codes: WRITE_CODES,
    }),
  );
}

export function ReplayProgressDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Dead letters'),
    ApiParam({ name: 'replay_id', example: REPLAY_ID }),
    describeRoute({
      operationId: 'getReplay',
      summary: 'How far a replay of many letters is',
      description:
        '`done` were taken up again, `superseded` had been taken up by others, `failed` are dead letters still.',
      security: ['access_key'],
      answers: { 200: { description: 'Running, done or cancelled.', example: REPLAY } },
      codes: [...READ_CODES, 'replay.not_found'],
    }),
  );
}

export function CancelReplayDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Dead letters'),
    ApiParam({ name: 'replay_id', example: REPLAY_ID }),
    ApiBody({ type: LetterRequest }),
    describeRoute({
      operationId: 'cancelReplay',
      summary: 'Replay no further letter',
      description: 'What was replayed before goes on. A replay that has ended stays as it is.',
      security: ['access_key'],
      answers: { 200: { description: 'How it ended.', example: { ...REPLAY, status: 'cancelled' } } },
      codes: [...WRITE_CODES, 'replay.not_found'],
    }),
  );
}
