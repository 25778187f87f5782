import { performance } from 'node:perf_hooks';
import { eventually } from '../../support/eventually.js';
import { randomFrom } from '../../support/random-from.js';
import { compareWorlds } from '../checker/compare-worlds.js';
import type { Findings } from '../checker/compare-worlds.js';
import { expectedWorld } from '../checker/expected-world.js';
import { FAULTS, scheduleFaults } from './faults.js';
import { generateFacts } from './generate-facts.js';
import { observeWorld } from './observe.js';
import type { Scope } from './scope.js';
import { sendAll } from './send-all.js';
import { distinctAmong, sendingsOf } from './sendings.js';
import { Site } from './site.js';

export interface LongRunOptions {
  readonly seed: number;
  /** Copies included. */
  readonly events: number;
  readonly scope: Scope;
  readonly print: (line: string) => void;
}

/** So many events see every fault once. */
const EVENTS_PER_ROUND = 5_000;
/** Senders do not run ahead of the faults: so many of them may be due. */
const FAULTS_DUE_MAX = 1;
const SETTLE_MS = 180_000;

/**
 * Sends events, copied and shuffled, while one thing after the other goes wrong; waits until nothing is left to do;
 * and compares with what must be there by the input alone. Events and faults come from the seed.
 */
export async function longRun({ seed, events, scope, print }: LongRunOptions): Promise<Findings> {
  const random = randomFrom(seed);
  const facts = generateFacts(distinctAmong(events), scope.rules, random);
  const sendings = sendingsOf(facts, events, random);
  const schedule = scheduleFaults(events, Math.max(1, Math.round(events / EVENTS_PER_ROUND)), random);

  const site = await Site.start(scope.contract);
  try {
    const startedMs = performance.now();
    const secondsSince = (): string => ((performance.now() - startedMs) / 1_000).toFixed(1);
    const striking = new Striking(schedule, async (name) => {
      print(`  ${secondsSince()} s: ${name}`);
      await FAULTS[name]?.(site, random);
    });
    const sent = await sendAll(
      sendings,
      (at) => site.crosswalk.client(at),
      (at) => striking.reach(at),
    );
    await striking.ended();
    print(`  ${secondsSince()} s: all sent, ${sent.retries} of them again; now it settles`);
    await settle(site);
    const findings = compareWorlds(expectedWorld(facts, scope.rules), await observeWorld(site.crosswalk, scope.rules));
    findings.wrong.push(...sent.refusals.map((refusal) => `refused for no reason: ${refusal}`));
    const { lost, doubled, wrong } = findings;
    print(
      `seed ${seed}: ${events} events, ${facts.length} of them different, ${schedule.length} faults, ` +
        `${secondsSince()} s: lost ${lost.length}, doubled ${doubled.length}, wrong ${wrong.length}`,
    );
    for (const [kind, found] of Object.entries(findings) as [string, string[]][]) {
      for (const each of found.slice(0, 20)) print(`  ${kind}: ${each}`);
    }
    return findings;
  } finally {
    await site.stop();
  }
}

/** The faults, one after the other, each when its place in the schedule is reached. */
class Striking {
  private chain = Promise.resolve();
  private struck = 0;
  private done = 0;
  private failure: unknown;

  constructor(
    private readonly schedule: readonly { readonly at: number; readonly name: string }[],
    private readonly strike: (name: string) => Promise<void>,
  ) {}

  /** Waits while too many faults are due. */
  async reach(at: number): Promise<void> {
    for (let next = this.schedule[this.struck]; next !== undefined && next.at <= at;) {
      this.struck += 1;
      const { name } = next;
      this.chain = this.chain
        .then(async () => this.strike(name))
        .catch((error: unknown) => {
          this.failure ??= error;
        })
        .finally(() => {
          this.done += 1;
        });
      next = this.schedule[this.struck];
    }
    while (this.struck - this.done > FAULTS_DUE_MAX) await this.chain;
  }

  /** @throws what kept a fault from being undone: the run says nothing then */
  async ended(): Promise<void> {
    await this.reach(Number.POSITIVE_INFINITY);
    await this.chain;
    if (this.failure !== undefined) throw new Error('A fault could not be made or undone.', { cause: this.failure });
  }
}

/** Until only what waits for somebody, or was given up, is left. */
async function settle({ crosswalk }: Site): Promise<void> {
  await eventually(
    async () => {
      const left = await crosswalk.query(
        `SELECT kind, topic, status, reject_reason, count(*) AS rows FROM work
          WHERE status NOT IN ('dead', 'waiting') GROUP BY 1, 2, 3, 4`,
      );
      if (left.length > 0) throw new Error(`There is work left: ${JSON.stringify(left)}`);
    },
    { deadlineMs: SETTLE_MS, everyMs: 250 },
  );
}
