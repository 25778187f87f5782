import { CONNECTIONS } from '../load/run-load.js';
import { GENTLE_PER_SECOND } from '../load/send-gently.js';
import type { Round } from '../play-round.js';
import { compare, type Comparison } from './comparison.js';

const RECEIPT_TARGET = 8;

/** Everything that both sides measured in these rounds, compared. */
export function compareRounds(rounds: readonly Round[]): readonly Comparison[] {
  const peers = rounds.map((round) => round.blogPost);
  const receipts = rounds.flatMap((round) => round.receipt ?? []);
  const completions = rounds.flatMap((round) => round.completed ?? []);
  const comparisons: Comparison[] = [];

  if (receipts.length > 0) {
    const atConnections = `at ${String(CONNECTIONS)} connections`;
    comparisons.push(
      compare({
        name: `POST /v1/events ${atConnections}, events/s`,
        better: 'more',
        crosswalk: receipts.map((load) => load.eventsPerSecond),
        blogPost: peers.map((load) => load.eventsPerSecond),
        target: RECEIPT_TARGET,
      }),
      compare({
        name: `POST /v1/events ${atConnections}, p99 in ms`,
        better: 'less',
        crosswalk: receipts.map((load) => load.p99Ms),
        blogPost: peers.map((load) => load.p99Ms),
      }),
    );
  }
  if (completions.length > 0) {
    comparisons.push(
      compare({
        name: 'Fully processed (receipt to COMPLETED), events/s',
        better: 'more',
        crosswalk: completions.map((completion) => completion.eventsPerSecond),
        blogPost: peers.map((load) => load.eventsPerSecond),
      }),
      compare({
        name: `Receipt to COMPLETED at ${String(GENTLE_PER_SECOND)} events/s, median in ms`,
        better: 'less',
        crosswalk: completions.map((completion) => completion.medianMs),
        blogPost: peers.map((load) => load.gentleMedianMs),
      }),
    );
  }
  return comparisons;
}
