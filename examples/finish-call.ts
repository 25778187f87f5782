import type { ServerResponse } from 'node:http';
import type { Answer } from './answer.js';
import type { ScriptedAnswer } from './fault-rule.js';
import type { ScriptedEnd } from './fault-script.js';

export interface Ending {
  readonly response: ServerResponse;
  /** Carries the call out, at most once. */
  readonly apply: () => Promise<Answer>;
  readonly end: ScriptedEnd | undefined;
  /** Resolves after the time, or when a held call is released where no time is given. */
  readonly later: (ms: number | undefined) => Promise<unknown>;
  /** Called with the status when an answer is handed over. */
  readonly answered: (status: number) => void;
  readonly wait: (ms: number) => Promise<unknown>;
}

/** Applies a call and answers it, or ends it in the way that the fault script wants. */
export async function finishCall(ending: Ending): Promise<void> {
  const { end, response, apply } = ending;
  const answer = (given: Answer): void => {
    ending.answered(given.status);
    send(response, given);
  };
  switch (end?.kind) {
    case undefined:
      return answer(await apply());
    case 'timeout_before_applying':
      return leaveUnanswered(ending, end.ms);
    case 'timeout_after_applying':
      await apply();
      return leaveUnanswered(ending, end.ms);
    case 'reset_before_applying':
      response.socket?.resetAndDestroy();
      return;
    case 'reset_after_applying':
      await apply();
      response.socket?.resetAndDestroy();
      return;
    case 'late_answer': {
      const given = await apply();
      await ending.later(end.ms);
      return answer(given);
    }
    case 'late_body':
      return answerInPieces(ending, await apply(), () => ending.later(end.ms));
    case 'cut_body':
      return answerInPieces(ending, await apply(), undefined);
    case 'status':
      return answer(scripted(end));
    case 'status_after_applying':
      await apply();
      return answer(scripted(end));
    case 'redirect':
      return answer({ status: end.status ?? 307, body: '', headers: { location: end.location } });
    case 'throttled':
      return answer(scripted({ status: 429, body: { error: 'too many requests' }, ...retryAfter(end.retryAfter) }));
    case 'garbage':
      await apply();
      return answer({ status: 200, body: '<html><body>Welcome! {"id": ', headers: { 'content-type': 'text/html' } });
  }
}

export function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(body);
}

async function leaveUnanswered({ response, wait }: Ending, ms: number | undefined): Promise<void> {
  if (ms === undefined) return;
  await wait(ms);
  response.destroy();
}

/** Headers and half of the body at once; the other half after `pause`, or a cut connection where there is none. */
async function answerInPieces(
  { response, answered }: Ending,
  { status, body, headers = {} }: Answer,
  pause: (() => Promise<unknown>) | undefined,
): Promise<void> {
  const bytes = Buffer.from(body);
  const half = Math.floor(bytes.length / 2);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...headers,
    'content-length': bytes.length,
  });
  response.flushHeaders();
  await new Promise<void>((resolve) => response.write(bytes.subarray(0, half), () => resolve()));
  if (pause === undefined) {
    response.destroy();
    return;
  }
  await pause();
  answered(status);
  response.end(bytes.subarray(half));
}

/** Text is sent as it stands, so that pages of a proxy can be played too; anything else as JSON. */
function scripted({ status, body, retry_after: retry }: ScriptedAnswer): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? { error: 'scripted' });
  return { status, body: text, headers: retry === undefined ? {} : { 'retry-after': String(retry) } };
}

function retryAfter(value: string | undefined): { retry_after?: string } {
  return value === undefined ? {} : { retry_after: value };
}
