import { expect, test } from '@jest/globals';
import { busiestWindow } from './busiest-window.js';

test.each([
  ['nobody', [], 0, undefined],
  ['one by one', [0, 1000, 2000], 1, 0],
  ['three within a second, across whole seconds', [0, 900, 1100, 1899, 2100], 3, 900],
  ['all at once', [5, 5, 5], 3, 5],
])('%s', (_, instants, most, from) => {
  expect(busiestWindow(instants, 1000)).toEqual({ most, from });
});
