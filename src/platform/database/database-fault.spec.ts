import { describe, expect, test } from '@jest/globals';
import { databaseFault, isDatabaseError, isUniqueViolation } from './database-fault.js';

/** An error as the driver throws it. */
const stated = (code: string): Error => Object.assign(new Error('refused'), { code });

describe('a fault of the database', () => {
  test.each([
    ['a NUL in a text', '22021', 'item'],
    ['a number that does not fit', '22003', 'item'],
    ['a text that is too long', '22001', 'item'],
    ['text that is no JSON', '22P02', 'item'],
    ['a value that is missing', '23502', 'item'],
    ['a check that fails', '23514', 'item'],
    ['a key that exists', '23505', 'item'],
    ['a row that is too large for its index', '54000', 'item'],
    ['a lock that was not to be had', '55P03', 'blocked'],
    ['a deadlock', '40P01', 'blocked'],
    ['a failed serialisation', '40001', 'blocked'],
    ['a table of locks that is full', '53200', 'blocked'],
    ['a statement that took too long', '57014', 'slow'],
    ['a transaction of ours that stood still for too long', '25P03', 'idle'],
    ['a restart', '57P01', 'unavailable'],
    ['a start that is under way', '57P03', 'unavailable'],
    ['a broken connection', '08006', 'unavailable'],
    ['too many connections', '53300', 'unavailable'],
    ['a full disk', '53100', 'unavailable'],
    ['a disk that only reads', '25006', 'unavailable'],
    ['an error of the disk', '58030', 'unavailable'],
    ['a wrong password', '28P01', 'unavailable'],
    ['a table that does not exist', '42P01', 'bug'],
    ['a statement that is none', '42601', 'bug'],
  ])('%s (%s) is `%s`', (_what, code, fault) => {
    expect(databaseFault(stated(code))).toBe(fault);
    expect(isDatabaseError(stated(code))).toBe(true);
  });

  test.each([
    ['no connection', stated('ECONNREFUSED')],
    [
      'a day without a partition',
      Object.assign(new Error('no partition of relation "events" found for row'), { code: '23514' }),
    ],
    ['a server that went silent', new Error('Query read timeout')],
    ['a connection that ended', new Error('Connection terminated unexpectedly')],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['something that nobody foresaw', new Error('x')],
    ['a thing that is no error', { code: '22021' }],
    ['nothing', undefined],
  ])('promises nothing when there is %s', (_what, error) => {
    expect(databaseFault(error)).toBe('unavailable');
  });

  test('is told apart from a bug of ours', () => {
    expect(isDatabaseError(new Error('Connection terminated unexpectedly'))).toBe(true);
    expect(isDatabaseError(new Error('connect ECONNREFUSED 127.0.0.1:5432'))).toBe(true);
    expect(isDatabaseError(new TypeError('x is not a function'))).toBe(false);
    expect(isDatabaseError('22021')).toBe(false);
  });

  test('only a unique violation is one', () => {
    expect(['23505', '23503', '40001'].map((code) => isUniqueViolation(stated(code)))).toEqual([true, false, false]);
    expect(isUniqueViolation(new Error('23505'))).toBe(false);
  });
});
