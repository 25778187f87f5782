import { describe, expect, test } from '@jest/globals';
import {
  answerClass,
  CALL_FAILURES,
  callFailureOf,
  codeClass,
  DATABASE_FAULT_CLASSES,
  FAILURE_CLASSES,
  mayHaveBeenApplied,
  retryAfterMs,
  type FailureClass,
} from './failure-class.js';
import { CODES, type Code } from './sync-error.js';

const AUTH = [401, 403];
const PASSING = [408, 425];

describe('the class of an answer', () => {
  test('is one and the same for every status that there is, and for what is none', () => {
    const expected = (status: number): FailureClass | 'ok' => {
      if (status < 200 || status >= 500 || PASSING.includes(status)) return 'retryable';
      if (status < 300) return 'ok';
      if (AUTH.includes(status)) return 'auth';
      return status === 429 ? 'throttled' : 'final';
    };
    for (let status = 100; status <= 599; status++) {
      expect([status, answerClass(status, false)]).toEqual([status, expected(status)]);
      const withPatience = status === 503 ? 'throttled' : expected(status);
      expect([status, answerClass(status, true)]).toEqual([status, withPatience]);
    }
  });

  test.each([0, -1, 99, 200.5, 299.5, 600, 999, 1_000, NaN, Infinity, -Infinity])(
    'a status that HTTP does not have (%d) is a failing server: the call may have arrived',
    (status) => {
      expect(answerClass(status, false)).toBe('retryable');
      expect(mayHaveBeenApplied(status)).toBe(true);
    },
  );

  test('a create may have happened after a server error and a time-out, and not after a refusal', () => {
    const statuses = [200, 400, 401, 403, 404, 408, 409, 422, 425, 429, 500, 502, 503, 504];
    expect(statuses.filter(mayHaveBeenApplied)).toEqual([408, 500, 502, 504]);
  });
});

describe('the end of a call without an answer', () => {
  test.each([
    ['unsendable', 'target.unmappable', 'final', false],
    ['not_sent', 'target.unreachable', 'retryable', false],
    ['timeout', 'target.timeout', 'retryable', true],
    ['broken', 'target.failed', 'retryable', true],
    ['too_large', 'target.failed', 'retryable', true],
    ['unreadable', 'target.unreadable', 'retryable', true],
  ] as const)('%s is %s, %s', (failure, code, failureClass, mayHaveArrived) => {
    expect(CALL_FAILURES[failure]).toEqual({ code, mayHaveArrived });
    expect(codeClass(code)).toBe(failureClass);
  });

  test('has no kind that this table does not know', () => {
    expect(Object.keys(CALL_FAILURES)).toHaveLength(6);
  });

  test.each([
    ['not_sent', ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']],
    ['not_sent', ['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'UND_ERR_CLOSED', 'EMFILE', 'EADDRNOTAVAIL']],
    ['timeout', ['ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']],
    ['broken', ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET', 'UND_ERR_DESTROYED', 'HPE_INVALID_CONSTANT']],
    ['broken', ['', 'E_NEVER_HEARD_OF', 'constructor', '__proto__']],
    ['unsendable', ['ERR_INVALID_URL', 'ERR_INVALID_CHAR', 'UND_ERR_INVALID_ARG']],
    ['too_large', ['UND_ERR_HEADERS_OVERFLOW']],
  ] as const)('%s by the network error: %j', (failure, codes) => {
    expect(codes.map(callFailureOf)).toEqual(codes.map(() => failure));
  });
});

test('a fault of the database spends an attempt only where the event or the program is to blame', () => {
  expect(DATABASE_FAULT_CLASSES).toEqual({
    item: 'final',
    blocked: 'throttled',
    slow: 'retryable',
    idle: 'retryable',
    unavailable: 'throttled',
    bug: 'retryable',
  });
});

describe('the class of a code of ours', () => {
  const byClass: Readonly<Record<Exclude<FailureClass, 'final'>, readonly Code[]>> = {
    retryable: [
      'request.too_slow',
      'internal.error',
      'event.undecidable',
      'delivery.failed',
      'target.timeout',
      'target.unreachable',
      'target.failed',
      'target.unreadable',
    ],
    throttled: ['storage.unavailable', 'door.rate_limited', 'door.overloaded', 'target.throttled'],
    auth: ['auth.failed', 'access.denied', 'target.unauthorized'],
  };

  test('is said of every code, and final is what no other list holds', () => {
    const found = new Map(FAILURE_CLASSES.map((each) => [each, [] as Code[]]));
    for (const code of Object.keys(CODES) as Code[]) found.get(codeClass(code))?.push(code);
    for (const each of ['retryable', 'throttled', 'auth'] as const) {
      expect([each, new Set(found.get(each))]).toEqual([each, new Set(byClass[each])]);
    }
    expect(found.get('final')).toEqual(
      expect.arrayContaining(['target.refused', 'target.unmappable', 'work.poison', 'retry.exhausted', 'create.rival']),
    );
  });
});

const NOW = Date.UTC(2025, 0, 1, 12, 0, 0);
const DAY_MS = 86_400_000;

describe('Retry-After', () => {
  test.each([
    ['seconds', '120', 120_000],
    ['zero', '0', 0],
    ['seconds among blanks', ' 7 ', 7_000],
    ['a date', 'Wed, 01 Jan 2025 12:00:30 GMT', 30_000],
    ['a date in the older spelling', 'Wednesday, 01-Jan-25 12:01:00 GMT', 60_000],
    ['a date that has passed', 'Wed, 01 Jan 2025 11:00:00 GMT', 0],
    ['more than a day', '90000', DAY_MS],
    ['the end of time', '9999999999', DAY_MS],
    ['more digits than anybody needs', '99999999999999999999', DAY_MS],
    ['a date in a far year', 'Fri, 01 Jan 2999 00:00:00 GMT', DAY_MS],
  ])('%s: %j', (_what, header, delayMs) => {
    expect(retryAfterMs(header, NOW)).toBe(delayMs);
  });

  // Taken for a moment in the past, any of these would mean "at once, and without spending an attempt".
  test.each([
    undefined,
    '',
    ' ',
    'soon',
    '-5',
    '+5',
    '1.5',
    '5s',
    'PT5S',
    '0x10',
    '1e3',
    'try again in 5',
    'retry 1',
    '1, 2',
    '12:00',
    'Wed',
    'NaN',
    'Infinity',
    '\u0000',
    '１２０',
  ])('says nothing usable: %j', (header) => {
    expect(retryAfterMs(header, NOW)).toBeUndefined();
  });
});
