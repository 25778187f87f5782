import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import type { Contender } from '../contenders/contender.js';
import { sampleEvent } from './sample-event.js';

export const GENTLE_PER_SECOND = 50;
const EVENTS = 300;
/** Far above the numbers that any load reaches, so that each of these events is new and newer than the rest. */
const FIRST_EVENT = 50_000_000;

/** Sends events one by one at a rate that no contender notices; returns how long each answer took, in ms, ascending. */
export async function sendGently(contender: Contender): Promise<readonly number[]> {
  const startedAt = performance.now();
  const answers: Promise<number>[] = [];
  for (let sent = 0; sent < EVENTS; sent++) {
    await wait(Math.max(0, startedAt + (sent * 1000) / GENTLE_PER_SECOND - performance.now()));
    answers.push(sendOne(contender, FIRST_EVENT + sent));
  }
  return (await Promise.all(answers)).sort((a, b) => a - b);
}

async function sendOne(contender: Contender, index: number): Promise<number> {
  const sentAt = performance.now();
  const answer = await request(contender.eventsUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...contender.headers },
    body: sampleEvent(index),
  });
  const body = await answer.body.text();
  if (answer.statusCode < 200 || answer.statusCode > 299) {
    throw new Error(`${contender.name} answered ${String(answer.statusCode)} instead of 2xx: ${body.slice(0, 500)}`);
  }
  return performance.now() - sentAt;
}
