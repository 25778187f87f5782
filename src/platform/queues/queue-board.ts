import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import { getQueueToken } from '@nestjs/bullmq';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Queue } from 'bullmq';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Code } from '../../domain/sync-error.js';
import { roleReaches } from '../http/access.js';
import { Credentials } from '../http/credentials.js';
import { PROBLEM_MEDIA_TYPE, problemOf } from '../http/problem.js';
import { deliveryQueueName, EVENT_RETRIES_QUEUE } from './queue-names.js';

const PATH = '/admin/queues';

/** The page asks for fonts of another site; nobody's browser has to tell that site which pages it opens here. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/**
 * Serves Bull Board, on either backend: which alarms are set, and for when. For looking only: a job is the alarm of a
 * row in PostgreSQL and carries that row's key, so its buttons could repair nothing. An admin key opens it, as a bearer
 * token or as the password that a browser asks for.
 */
export async function serveQueueBoard(app: NestFastifyApplication, targets: readonly string[]): Promise<void> {
  const credentials = app.get(Credentials, { strict: false });
  const queues = [EVENT_RETRIES_QUEUE, ...targets.map(deliveryQueueName)].map(
    (name) => new BullMQAdapter(app.get<Queue>(getQueueToken(name), { strict: false }), { readOnlyMode: true }),
  );
  const board = new FastifyAdapter();
  board.setBasePath(PATH);
  createBullBoard({ queues, serverAdapter: board, options: { uiConfig: { boardTitle: 'Crosswalk' } } });
  const plugin = board.registerPlugin();
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  await fastify.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => guard(credentials, request, reply));
    await scope.register(plugin, { prefix: PATH });
  });
}

function guard(credentials: Credentials, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  void reply.header('content-security-policy', CONTENT_SECURITY_POLICY).header('cache-control', 'no-store');
  const key = credentials.accessKeyOfBrowser(request);
  if (key === undefined) {
    void reply.header('www-authenticate', 'Basic realm="Crosswalk, an admin key as the password", charset="UTF-8"');
    return refuse(reply, 'auth.failed', 'Send an admin key as `Authorization: Bearer …` or as a password.');
  }
  if (!roleReaches(key.role, 'admin')) return refuse(reply, 'access.denied', 'This needs the role `admin`.');
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  return refuse(reply, 'access.denied', 'The board is for looking; repair dead letters under /v1/admin/dead-letters.');
}

function refuse(reply: FastifyReply, code: Code, detail: string): FastifyReply {
  const problem = problemOf(code, detail);
  return reply.status(problem.status).type(PROBLEM_MEDIA_TYPE).send(problem);
}
