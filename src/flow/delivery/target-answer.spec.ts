import { describe, expect, test } from '@jest/globals';
import { readJson } from '../../domain/json/read-json.js';
import { readAnswer } from './target-answer.js';
import type { CallEnd } from './target-client.js';

const NOW = Date.UTC(2025, 0, 1);

const answer = (status: number, body = '', retryAfter?: string): CallEnd => ({
  kind: 'answer',
  status,
  body,
  retryAfter,
});

describe('a call that ended without an answer', () => {
  test('was not sent: the target cannot have acted', () => {
    expect(readAnswer({ kind: 'no_answer', failure: 'not_sent', reason: 'refused (ECONNREFUSED)' }, NOW)).toEqual({
      kind: 'failed',
      code: 'target.unreachable',
      detail: 'refused (ECONNREFUSED)',
      class: 'retryable',
      mayHaveArrived: false,
    });
  });

  test.each([
    ['timeout', 'target.timeout'],
    ['broken', 'target.failed'],
    ['too_large', 'target.failed'],
  ] as const)('left and nobody knows (%s)', (failure, code) => {
    expect(readAnswer({ kind: 'no_answer', failure, reason: 'r' }, NOW)).toMatchObject({
      code,
      class: 'retryable',
      mayHaveArrived: true,
    });
  });
});

test('a call that cannot be written is given up at once', () => {
  expect(readAnswer({ kind: 'no_answer', failure: 'unsendable', reason: 'Invalid URL' }, NOW)).toMatchObject({
    code: 'target.unmappable',
    class: 'final',
    mayHaveArrived: false,
  });
});

describe('an answer', () => {
  test.each([
    [200, '{"id":1.00}', readJson('{"id":1.00}').value],
    [201, '[]', []],
    [204, '', undefined],
    [200, ' \n', undefined],
  ])('%d with %j is good', (status, body, value) => {
    expect(readAnswer(answer(status, body), NOW)).toEqual({ kind: 'ok', body: value });
  });

  test.each(['<html>', '{"id":1', '{"id":1,"id":2}'])(
    'that is good but unreadable (%j) leaves us not knowing',
    (body) => {
      expect(readAnswer(answer(201, body), NOW)).toMatchObject({
        kind: 'failed',
        code: 'target.unreadable',
        class: 'retryable',
        mayHaveArrived: true,
      });
    },
  );

  test.each([
    [400, 'target.refused', 'final', false],
    [404, 'target.refused', 'final', false],
    [409, 'target.refused', 'final', false],
    [422, 'target.refused', 'final', false],
    [302, 'target.refused', 'final', false],
    [401, 'target.unauthorized', 'auth', false],
    [403, 'target.unauthorized', 'auth', false],
    [408, 'target.failed', 'retryable', true],
    [425, 'target.failed', 'retryable', false],
    [429, 'target.throttled', 'throttled', false],
    [500, 'target.failed', 'retryable', true],
    [502, 'target.failed', 'retryable', true],
    [503, 'target.failed', 'retryable', false],
    [504, 'target.failed', 'retryable', true],
  ])('of %d is %s', (status, code, failureClass, mayHaveArrived) => {
    expect(readAnswer(answer(status), NOW)).toMatchObject({ code, class: failureClass, mayHaveArrived });
  });

  test('of 404 tells its status, which a look-up reads', () => {
    expect(readAnswer(answer(404), NOW)).toMatchObject({ status: 404 });
  });

  test.each([
    [429, '7', 'throttled', 7_000],
    [503, '7', 'throttled', 7_000],
    [503, 'soon', 'retryable', undefined],
    [500, '7', 'retryable', 7_000],
    [429, undefined, 'throttled', undefined],
  ])('of %d with Retry-After %j is %s', (status, retryAfter, failureClass, retryAfterMs) => {
    expect(readAnswer(answer(status, '', retryAfter), NOW)).toMatchObject({ class: failureClass, retryAfterMs });
  });

  test('that refuses says why, in one short line', () => {
    const read = readAnswer(answer(422, `bad\n\u0000name ${'x'.repeat(1_000)}`), NOW);
    const detail = read.kind === 'failed' ? read.detail : '';
    expect(detail).toMatch(/^The target answered 422: bad name x+…$/);
    expect(detail.length).toBeLessThan(350);
  });
});
