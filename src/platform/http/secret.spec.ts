import { expect, test } from '@jest/globals';
import { SecretList } from './secret.js';

test.each([
  ['a', ['a'], 0],
  ['b', ['a', 'b', 'c'], 1],
  ['c', ['a', 'b', 'c'], 2],
  ['a', [], -1],
  ['A', ['a'], -1],
  ['a ', ['a'], -1],
  ['', ['a'], -1],
  ['aa', ['a'], -1],
  ['a', ['aa'], -1],
  ['\u0000', ['a'], -1],
  ['é', ['e'], -1],
  ['ключ', ['другой', 'ключ'], 1],
])('%j among %j stands at %d', (shown, accepted, at) => {
  expect(new SecretList(accepted).indexOf(shown)).toBe(at);
});

test('secrets of any length are compared without an error', () => {
  const secrets = new SecretList(['y', 'x'.repeat(100_000)]);
  expect(secrets.indexOf('x'.repeat(100_000))).toBe(1);
  expect(secrets.indexOf('x'.repeat(99_999))).toBe(-1);
});
