import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppModule, type AppSettings } from './app.module.js';
import { targetsOf } from './domain/contract/targets-of.js';
import { describeApi } from './open-api.js';
import { answerMalformed, answerUnroutable, passOverExpectations } from './platform/http/framework-errors.js';

/** The largest body that any route reads; routes with smaller limits check their own. */
const BODY_BYTES_MAX = 16_777_216;
/** 255 characters of an external id, each up to twelve characters when percent-encoded. */
const PATH_PARAMETER_MAX = 3_100;
/** The whole application, ready to listen. */
export async function createApp(settings: AppSettings): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    routerOptions: { maxParamLength: PATH_PARAMETER_MAX },
    ...cutOffAfter(settings.requestTimeoutMs),
    forceCloseConnections: 'idle',
    frameworkErrors: (error: FastifyError, _request: FastifyRequest, reply: FastifyReply) => {
      answerUnroutable(error, reply);
    },
    clientErrorHandler: answerMalformed,
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.for(settings), adapter, {
    bodyParser: false,
    bufferLogs: false,
    logger: settings.log,
    abortOnError: false,
  });
  readBodiesAsBytes(app);
  passOverExpectations(app.getHttpAdapter().getHttpServer() as Server);
  if (settings.role !== 'worker') {
    SwaggerModule.setup('docs', app, () => describeApi(app), { jsonDocumentUrl: 'openapi.json', raw: ['json'] });
    // Loaded here, because a worker and the tests of workers have no use for the packages of a page.
    const { serveQueueBoard } = await import('./platform/queues/queue-board.js');
    await serveQueueBoard(app, targetsOf(settings.contract));
  }
  return app;
}

/**
 * A request must be complete in this time, however steadily it trickles in. The limit of the headers is set as well:
 * where it is the longer of the two, as Node's own minute would be, Node takes it for the limit of the whole. Node looks
 * at its connections now and then, by default so rarely that the time could double.
 */
function cutOffAfter(requestTimeoutMs: number) {
  const connectionsCheckingInterval = Math.ceil(requestTimeoutMs / 10);
  return {
    requestTimeout: requestTimeoutMs,
    http: { requestTimeout: requestTimeoutMs, headersTimeout: requestTimeoutMs, connectionsCheckingInterval },
  };
}

/** Signatures cover the bytes that arrived, so every body stays bytes until its route has looked at them. */
function readBodiesAsBytes(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.removeAllContentTypeParsers();
  // Every other type, too; this one by its name, because Fastify takes a name apart that it does not know.
  fastify.addContentTypeParser(['application/json', '*'], { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
}
