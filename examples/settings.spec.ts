import { expect, test } from '@jest/globals';
import { readSettings } from './settings.js';

test.each([
  ['no object', [], 'the settings must be an object'],
  ['an unknown name', { retries: 1 }, 'retries is not known'],
  ['an unknown scheme', { auth: { scheme: 'digest' } }, 'auth: scheme must be one of none, bearer'],
  ['a scheme without its secret', { auth: { scheme: 'bearer' } }, 'auth: token is missing'],
  ['a member of another scheme', { auth: { scheme: 'none', token: 't' } }, 'auth: token is not known here'],
  ['a limit without window', { rate_limit: { max: 1 } }, 'rate_limit: max and per_ms must be whole numbers'],
  ['an unknown style', { rate_limit: { max: 1, per_ms: 1, retry_after: 'x' } }, 'rate_limit: retry_after must be'],
  ['another idempotency', { idempotency: true }, 'idempotency: must be none, creates or all'],
  ['a job that never ends', { jobs: { ends: 'never' } }, 'jobs: ends must be milliseconds'],
  ['a webhook to nowhere', { webhook: { url: 'x', about: [] } }, 'webhook: url must be a URL'],
])('settings with %s are refused', (_, settings, problem) => {
  expect(readSettings(settings)).toMatchObject({ kind: 'refused', problems: [expect.stringContaining(problem)] });
});
