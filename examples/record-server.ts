import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { headerOf, json } from './answer.js';
import { answerControlRequest } from './control-routes.js';
import type { DialectName } from './dialects/dialects.js';
import { finishCall, send } from './finish-call.js';
import type { SystemName } from './record-store.js';
import { SampleSystem, type CarriedOut } from './sample-system.js';
import type { Settings } from './settings.js';
import { tellAfterAnswer, tellBeforeAnswer } from './tell-about.js';

const BODY_BYTES_MAX = 1_048_576;

export interface RecordServerOptions {
  readonly system: SystemName;
  /** How it speaks. Default `rest`. */
  readonly dialect?: DialectName;
  /** What is different from the dialect's own settings. */
  readonly settings?: Partial<Settings>;
  /** 0 takes a free port. */
  readonly port: number;
  /** The number in the first id. Callers remember ids longer than this memory lives, so a restart needs a higher one. */
  readonly firstNumber?: number;
  /** Milliseconds of the epoch; tests bring their own clock. */
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

export interface RecordServer {
  /** Without a trailing slash. */
  readonly url: string;
  /** Cuts every connection, unanswered ones too, and gives the port back. */
  close(): Promise<void>;
}

interface Served {
  readonly system: SampleSystem;
  readonly wait: (ms: number) => Promise<unknown>;
}

/** Starts a sample system on 127.0.0.1. Rejects where the port is taken. */
export async function startRecordServer(options: RecordServerOptions): Promise<RecordServer> {
  const { port: wanted, firstNumber = 1001, now = Date.now, wait, ...rest } = options;
  const served: Served = {
    system: new SampleSystem({ ...rest, firstNumber, now }),
    wait: wait ?? ((ms) => delay(ms, undefined, { ref: false })),
  };
  const server = createServer((request, response) => {
    // A caller that hangs up in the middle of its own body leaves nothing to answer.
    serve(served, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(wanted, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve({ system, wait }: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = request.method ?? 'GET';
  const path = request.url ?? '/';
  const url = new URL(path, 'http://127.0.0.1');
  const body = await readBody(request);
  if (body === undefined) return send(response, json(413, { error: `at most ${BODY_BYTES_MAX} bytes` }));
  if (path.startsWith('/_')) return send(response, await answerControlRequest(system, { method, url, body }));

  const { headers } = request;
  const received = { method, url, headers, body, idempotencyKey: headerOf(headers, 'idempotency-key') };
  const call = system.calls.begin({ method, path, headers, body: system.bodyForLog(received) });
  const plan = system.faults.planFor({ method, path, body });
  call.faults = plan.kinds;
  // The work is done even when the caller has gone in the meantime, as in a real system that is slow.
  if (plan.delayMs > 0) await wait(plan.delayMs);
  if (plan.isHeld) await system.held.hold();

  const seen = plan.ignoresIdempotencyKey ? { ...received, idempotencyKey: undefined } : received;
  let carriedOut: CarriedOut | undefined;
  await finishCall({
    response,
    end: plan.end,
    apply: async () => {
      carriedOut = system.carryOut(seen, call);
      await tellBeforeAnswer(system, carriedOut);
      return carriedOut.answer;
    },
    later: (ms) => (ms === undefined ? system.held.hold() : wait(ms)),
    answered: (status) => system.calls.answered(call, status),
    wait,
  });
  if (carriedOut !== undefined) await tellAfterAnswer(system, carriedOut, wait);
}

/** Returns undefined where the body is too long; it is read to its end then, so that the answer can be read too. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
  }
  return bytes <= BODY_BYTES_MAX ? Buffer.concat(chunks).toString('utf8') : undefined;
}
