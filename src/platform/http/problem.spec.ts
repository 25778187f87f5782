import { expect, test } from '@jest/globals';
import { CODES, SyncError, type Code } from '../../domain/sync-error.js';
import { problemOf, problemOfError } from './problem.js';

test('a problem says what, where and why', () => {
  expect(problemOfError(new SyncError('version.invalid', 'No digits.', { at: '/version' }))).toEqual({
    type: '/docs/errors#version.invalid',
    title: 'The version is missing or not an integer',
    status: 422,
    code: 'version.invalid',
    detail: 'No digits.',
    at: '/version',
  });
});

test('a problem without a place names none, and never its cause', () => {
  const error = new SyncError('storage.unavailable', 'Later.', {
    cause: new Error('password=x'),
    retryAfterSeconds: 1,
  });
  expect(Object.keys(problemOfError(error)).sort()).toEqual(['code', 'detail', 'status', 'title', 'type']);
  expect(JSON.stringify(problemOfError(error))).not.toContain('password');
});

test.each(Object.keys(CODES) as Code[])('%s has a title that is a sentence without its full stop', (code) => {
  expect(problemOf(code, '').title).toMatch(/^[A-Z].*[^.]$/);
});

test('every status is a refusal, a failure, or none at all where a code only stands in a trace', () => {
  for (const { status } of Object.values(CODES)) expect(status === 0 || (status >= 400 && status < 600)).toBe(true);
});
