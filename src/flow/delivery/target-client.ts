import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, request } from 'undici';
import type { Target } from '../../domain/contract/target.js';
import type { TargetCall } from '../../domain/contract/target-call.js';
import { callFailureOf, type CallFailure } from '../../domain/failure-class.js';

/** A call as it goes out. */
export interface OutgoingCall {
  readonly call: TargetCall;
  readonly internalId: string;
  /** As the target spells it. */
  readonly externalId: string | undefined;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** What came back, or why nothing did. */
export type CallEnd =
  | { readonly kind: 'answer'; readonly status: number; readonly body: string; readonly retryAfter: string | undefined }
  | { readonly kind: 'no_answer'; readonly failure: CallFailure; readonly reason: string };

const ANSWER_BYTES_MAX = 1_048_576;
const CONNECTIONS_MAX = 16;

/** HTTP towards targets: one keep-alive pool each, one deadline for the whole call, no redirects. */
@Injectable()
export class TargetClient implements OnApplicationShutdown {
  private readonly agent = new Agent({ connections: CONNECTIONS_MAX, pipelining: 1 });

  async send(target: Target, outgoing: OutgoingCall): Promise<CallEnd> {
    const { call, body, headers, timeoutMs } = outgoing;
    try {
      const answer = await request(target.baseUrl + fillPath(outgoing), {
        dispatcher: this.agent,
        method: call.method,
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        body: body ?? null,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await readBounded(answer.body);
      return {
        kind: 'answer',
        status: answer.statusCode,
        body: text,
        retryAfter: single(answer.headers['retry-after']),
      };
    } catch (error) {
      return endOf(error);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.close();
  }
}

function fillPath({ call, internalId, externalId }: OutgoingCall): string {
  return call.path
    .replaceAll('{internal_id}', encodeURIComponent(internalId))
    .replaceAll('{external_id}', encodeURIComponent(externalId ?? ''));
}

class AnswerTooLarge extends Error {}

/** @throws AnswerTooLarge when it is larger than anything we read */
async function readBounded(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new AnswerTooLarge('The answer is larger than 1 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function endOf(error: unknown): CallEnd {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = error instanceof Error ? `${error.message}${code === '' ? '' : ` (${code})`}` : String(error);
  if (error instanceof AnswerTooLarge) return { kind: 'no_answer', failure: 'too_large', reason };
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  return { kind: 'no_answer', failure: isTimeout ? 'timeout' : callFailureOf(code), reason };
}
