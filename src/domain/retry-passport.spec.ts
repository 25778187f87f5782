import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { refusalOf } from '../../test/support/refusal.js';
import { readJson } from './json/read-json.js';
import {
  passportHeaders,
  readRetryExtensions,
  readRetryPassport,
  retryPolicyOf,
  writeRetryPassport,
  type RetryPassport,
} from './retry-passport.js';

const read = (text: string): RetryPassport | undefined => readRetryPassport(readJson(text).value);
const settings = { maxRetry: 5, backoffBaseSeconds: 1, backoffJitterMs: 1000, capSeconds: 3600 };

describe('the retry passport of an envelope', () => {
  test('is read with all that it may ask for and tell', () => {
    const text =
      '{"max_retry":7,"backoff_base":0.25,"backoff_jitter":500,"retry_count":2,"reject_reason":"Lager überfüllt"}';
    expect(read(text)).toEqual({
      maxRetry: 7,
      backoffBaseSeconds: 0.25,
      backoffJitterMs: 500,
      retryCount: 2,
      rejectReason: 'Lager überfüllt',
    });
  });

  test.each(['null', '{}', '{"max_retry":null,"retry_interval":null,"reject_reason":null}'])(
    'says nothing by %s',
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );

  test.each([
    ['max_retry', '0', '50'],
    ['backoff_base', '0.1', '3600'],
    ['backoff_jitter', '0', '3600000'],
    ['retry_count', '0', '1000000'],
  ])('takes %s from %s to %s', (name, min, max) => {
    for (const value of [min, max]) expect(Object.values(read(`{"${name}":${value}}`) ?? {})).toEqual([Number(value)]);
  });

  test.each([
    ['max_retry', ['51', '-1', '1.5', '1e1', '"5"', 'true', '[]', '9007199254740993', '1000000000000000000000']],
    ['backoff_base', ['0', '0.09', '3600.1', '-1', '1e-3', '1e400', '"1"', '{}']],
    ['backoff_jitter', ['-1', '3600001', '0.5', '"0"']],
    ['retry_count', ['-1', '1000001', '0.5', '"0"']],
    ['reject_reason', ['""', '5', '"a\\r\\nX-Evil: 1"', '"a\\u0000"', `"${'x'.repeat(257)}"`, `"${'ü'.repeat(129)}"`]],
    ['retry_interval', ['0', '5', '"5"']],
  ])('refuses %s as %j', (name, values) => {
    for (const value of values) {
      const act = (): unknown => read(`{"${name}":${value}}`);
      expect([value, refusalOf(act)]).toEqual([value, { code: 'envelope.invalid', at: `/retry/${name}` }]);
    }
  });

  test('names the bound that was passed', () => {
    expect(() => read('{"max_retry":51}')).toThrow('`max_retry` is a whole number from 0 to 50.');
    expect(() => read('{"backoff_base":0.01}')).toThrow('`backoff_base` is a number from 0.1 to 3600.');
  });

  test.each([
    ['[]', 'envelope.invalid', '/retry'],
    ['5', 'envelope.invalid', '/retry'],
    ['{"max_retries":5}', 'envelope.unknown_part', '/retry/max_retries'],
    ['{"cap":5}', 'envelope.unknown_part', '/retry/cap'],
    ['{"__proto__":5}', 'envelope.unknown_part', '/retry/__proto__'],
  ])('refuses %s', (text, code, at) => {
    expect(refusalOf(() => read(text))).toEqual({ code, at });
  });
});

describe('the extensions of a CloudEvent', () => {
  test('say the same as numbers, and as digits in headers', () => {
    const asked = { maxRetry: 7, backoffBaseSeconds: 0.5, retryCount: 2, rejectReason: '503' };
    const structured = readJson('{"maxretry":7,"backoffbase":0.5,"retrycount":2,"rejectreason":"503"}').value;
    expect(readRetryExtensions(structured as Parameters<typeof readRetryExtensions>[0])).toEqual(asked);
    const headers = new Map([
      ['maxretry', '7'],
      ['backoffbase', '0.5'],
      ['retrycount', '2'],
      ['rejectreason', '503'],
    ]);
    expect(readRetryExtensions(headers)).toEqual(asked);
    expect(readRetryExtensions(new Map())).toBeUndefined();
  });

  test.each([
    ['maxretry', '51'],
    ['maxretry', 'many'],
    ['retryinterval', '1'],
  ])('%s is not %s', (name, value) => {
    const act = (): unknown => readRetryExtensions(new Map([[name, value]]));
    expect(refusalOf(act)).toEqual({ code: 'envelope.invalid', at: `/${name}` });
  });
});

describe('what an event asked for', () => {
  test('goes before the settings, member by member, but for the cap', () => {
    const stored = writeRetryPassport({ maxRetry: 0, backoffJitterMs: 0, retryCount: 9, rejectReason: 'x' });
    expect(retryPolicyOf(stored, settings)).toEqual({ ...settings, maxRetry: 0, backoffJitterMs: 0 });
    expect(retryPolicyOf(null, settings)).toBe(settings);
  });
});

describe('the headers of a call', () => {
  test('tell how it came to be made', () => {
    const attempt = { retryCount: 3, retryIntervalMs: 4_217.4, rejectReason: 'target.failed' };
    expect(passportHeaders(attempt, { ...settings, backoffBaseSeconds: 0.05 })).toEqual({
      'x-retry-count': '3',
      'x-max-retry': '5',
      'x-backoff-base': '0.05',
      'x-backoff-jitter': '1000',
      'x-retry-interval': '4.217',
      'x-reject-reason': 'target.failed',
    });
  });

  test('give no reason where nothing was rejected before', () => {
    const first = { retryCount: 0, retryIntervalMs: 0, rejectReason: undefined };
    expect(passportHeaders(first, settings)).not.toHaveProperty('x-reject-reason');
  });

  test('are short lines of ASCII, whatever the reason says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 5_000 }), fc.nat(), (rejectReason, retryCount) => {
        const headers = passportHeaders({ retryCount, retryIntervalMs: retryCount, rejectReason }, settings);
        for (const value of Object.values(headers)) expect(value).toMatch(/^[\x21-\x7e]{0,1536}$/);
      }),
    );
  });
});
