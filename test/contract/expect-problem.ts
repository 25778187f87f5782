import { expect } from '@jest/globals';
import { CODES, type Code } from '../../src/domain/sync-error.js';
import type { Answer } from './shop-api.js';

/** The answer is the problem document of a code (RFC 9457), whole and with nothing of ours beside it. */
export function expectProblem(answer: Answer, code: Code, at?: string): void {
  const { title, status } = CODES[code];
  expect({ status: answer.status, type: answer.headers.get('content-type'), body: answer.body }).toEqual({
    status,
    type: expect.stringMatching(/^application\/problem\+json/),
    body: {
      type: `/docs/errors#${code}`,
      title,
      status,
      code,
      detail: expect.stringMatching(/./),
      ...(at === undefined ? {} : { at }),
    },
  });
}
