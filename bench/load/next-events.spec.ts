import { expect, test } from '@jest/globals';
import { NextEvents } from './next-events.js';

const CONNECTIONS = 64;

function sharesOfCopies(copiesOfTen: number): number {
  const events = new NextEvents(copiesOfTen, CONNECTIONS);
  const known = new Set<number>();
  let copies = 0;
  for (let at = 0; at < 20_000; at++) {
    const event = events.next();
    if (known.has(event)) copies++;
    known.add(event);
  }
  return copies / 20_000;
}

test('without copies every event is fresh', () => {
  expect(sharesOfCopies(0)).toBe(0);
});

test('nine of ten are copies, as soon as there is something to copy', () => {
  expect(sharesOfCopies(9)).toBeGreaterThan(0.88);
  expect(sharesOfCopies(9)).toBeLessThanOrEqual(0.9);
});

test('a copy is of an event that was answered', () => {
  const events = new NextEvents(9, CONNECTIONS);
  let newest = -1;
  for (let at = 0; at < 20_000; at++) {
    const event = events.next();
    if (event > newest) newest = event;
    else expect(event).toBeLessThanOrEqual(newest - CONNECTIONS);
  }
});
