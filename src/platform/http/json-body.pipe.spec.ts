import { describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsInt, IsString, ValidateNested } from 'class-validator';
import { refusalOf } from '../../../test/support/refusal.js';
import { validated } from './json-body.pipe.js';

class Inner {
  @IsString()
  readonly id: string;
}

class Outer {
  @IsInt()
  readonly count: number;

  @ValidateNested()
  @Type(() => Inner)
  readonly inner: Inner;
}

describe('a body against its class', () => {
  test('that fits becomes an instance of it', () => {
    const body = validated(Outer, { count: 1, inner: { id: 'x' } });
    expect(body).toBeInstanceOf(Outer);
    expect(body.inner).toBeInstanceOf(Inner);
  });

  test.each([
    ['a part that is missing', { inner: { id: 'x' } }],
    ['a part of the wrong kind', { count: '1', inner: { id: 'x' } }],
    ['a part inside that is wrong', { count: 1, inner: { id: 7 } }],
    ['a part that nobody knows', { count: 1, inner: { id: 'x' }, more: 1 }],
    ['a part inside that nobody knows', { count: 1, inner: { id: 'x', more: 1 } }],
    ['a list', []],
    ['nothing', null],
    ['text', 'x'],
  ])('is refused with %s', (_what, body) => {
    expect(refusalOf(() => validated(Outer, body))).toEqual({ code: 'request.invalid' });
  });

  test('is told every part that is wrong, by its place', () => {
    expect(() => validated(Outer, { count: 'x', inner: { id: 1 } })).toThrow(/\/count: .*; \/inner\/id: /);
  });
});
