import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { CallLog, type Call } from './call-log.js';
import { answerControlRequest, type ControlledParts } from './control-routes.js';
import { FaultScript, type ScriptedEnd } from './fault-script.js';
import { answerRecordRequest, type RecordAnswer } from './record-routes.js';
import { RecordStore, type SystemName } from './record-store.js';

const BODY_BYTES_MAX = 1_048_576;

export interface RecordServerOptions {
  readonly system: SystemName;
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

interface Parts extends ControlledParts {
  readonly wait: (ms: number) => Promise<unknown>;
}

/** Starts a small ERP or WMS on 127.0.0.1. Rejects where the port is taken. */
export async function startRecordServer(options: RecordServerOptions): Promise<RecordServer> {
  const now = options.now ?? Date.now;
  const parts: Parts = {
    system: options.system,
    store: new RecordStore(options.system, options.firstNumber ?? 1001),
    calls: new CallLog(now),
    faults: new FaultScript(now),
    wait: options.wait ?? ((ms) => delay(ms, undefined, { ref: false })),
  };
  const server = createServer((request, response) => {
    // A caller that hangs up in the middle of its own body leaves nothing to answer.
    serve(parts, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, '127.0.0.1', resolve);
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

async function serve(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = request.method ?? 'GET';
  const path = request.url ?? '/';
  const url = new URL(path, 'http://127.0.0.1');
  const body = await readBody(request);
  if (body === undefined) {
    send(response, 413, JSON.stringify({ error: `at most ${BODY_BYTES_MAX} bytes` }));
    return;
  }
  if (path.startsWith('/_')) {
    const answer = answerControlRequest(parts, { method, url, body });
    send(response, answer.status, answer.body);
    return;
  }

  const call = parts.calls.begin(method, path, request.headers);
  const plan = parts.faults.planFor(method, path);
  call.faults = plan.kinds;
  // The work is done even when the caller has gone in the meantime, as in a real system that is slow.
  if (plan.delayMs > 0) await parts.wait(plan.delayMs);

  const idempotencyKey = plan.ignoresIdempotencyKey ? undefined : (call.headers['idempotency-key'] ?? undefined);
  const apply = (): RecordAnswer => {
    const answer = answerRecordRequest(parts.store, { method, url, body, idempotencyKey });
    call.applied = answer.applied;
    call.record_id = answer.recordId;
    return answer;
  };
  await finish(parts, { call, response, apply, end: plan.end });
}

interface Finish {
  readonly call: Call;
  readonly response: ServerResponse;
  readonly apply: () => RecordAnswer;
  readonly end: ScriptedEnd | undefined;
}

/** Applies the call and answers it, or ends it in the way that the fault script wants. */
async function finish(parts: Parts, { call, response, apply, end }: Finish): Promise<void> {
  const answer = (status: number, body: string, headers?: Record<string, string>): void => {
    parts.calls.answered(call, status);
    send(response, status, body, headers);
  };
  const leaveUnanswered = async (ms: number | undefined): Promise<void> => {
    if (ms === undefined) return;
    await parts.wait(ms);
    response.destroy();
  };
  switch (end?.kind) {
    case undefined: {
      const { status, body } = apply();
      answer(status, body);
      return;
    }
    case 'timeout_before_applying':
      return leaveUnanswered(end.ms);
    case 'timeout_after_applying':
      apply();
      return leaveUnanswered(end.ms);
    case 'reset_after_applying':
      apply();
      response.socket?.resetAndDestroy();
      return;
    case 'status':
      answer(end.status, scriptedBody(end.body), retryAfter(end.retry_after));
      return;
    case 'throttled':
      answer(429, JSON.stringify({ error: 'too many requests' }), retryAfter(end.retryAfterSeconds));
      return;
    case 'garbage':
      apply();
      answer(200, '<html><body>Welcome! {"id": ', { 'content-type': 'text/html' });
      return;
  }
}

/** Text is sent as it stands, so that pages of a proxy can be played too; anything else as JSON. */
function scriptedBody(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body ?? { error: 'scripted' });
}

function retryAfter(value: number | string | undefined): Record<string, string> {
  return value === undefined ? {} : { 'retry-after': String(value) };
}

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(body);
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
