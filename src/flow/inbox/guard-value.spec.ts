import { expect, test } from '@jest/globals';
import { newEventId } from '../../domain/ids.js';
import { eventOfGuardValue, guardValue } from './guard-value.js';

const EVENT_ID = newEventId(1_700_000_000_000);

test('equal content leads to the accepted event', () => {
  expect(eventOfGuardValue(guardValue(EVENT_ID, 'the-content'), 'the-content')).toBe(EVENT_ID);
});

test.each([
  ['other content', guardValue(EVENT_ID, 'other')],
  ['content that only begins alike', guardValue(EVENT_ID, 'the-content-and-more')],
  ['an id that is none', 'ACCEPTED:nobody:the-content'],
  ['another state', `PROCESSING:${EVENT_ID}:the-content`],
  ['a value that was cut', `ACCEPTED:${EVENT_ID}`],
  ['nothing', ''],
])('%s leads to nothing', (_, value) => {
  expect(eventOfGuardValue(value, 'the-content')).toBeUndefined();
});
