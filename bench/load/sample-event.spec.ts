import { expect, test } from '@jest/globals';
import { sampleEvent } from './sample-event.js';

interface Envelope {
  readonly idempotency_key: string;
  readonly entity: { readonly external_id: string };
  readonly version: number;
  readonly payload: object;
}

function envelope(index: number): Envelope {
  return JSON.parse(sampleEvent(index)) as Envelope;
}

test('every event has a key of its own', () => {
  const keys = Array.from({ length: 25_000 }, (_, index) => envelope(index).idempotency_key);
  expect(new Set(keys).size).toBe(keys.length);
});

test('the versions of one customer rise, and neighbours belong to different customers', () => {
  const [first, neighbour, second] = [envelope(7), envelope(8), envelope(10_007)];
  expect(second.entity.external_id).toBe(first.entity.external_id);
  expect(second.version).toBeGreaterThan(first.version);
  expect(neighbour.entity.external_id).not.toBe(first.entity.external_id);
});

test('the text is plain ASCII with a payload of about 300 bytes', () => {
  expect(Buffer.byteLength(sampleEvent(123_456))).toBe(sampleEvent(123_456).length);
  const payloadBytes = JSON.stringify(envelope(123_456).payload).length;
  expect(payloadBytes).toBeGreaterThan(250);
  expect(payloadBytes).toBeLessThan(350);
});
