import { startCrosswalk } from './contenders/start-crosswalk.js';
import type { LoadResult } from './load/load-plan.js';
import { runLoad } from './load/run-load.js';
import { whileRunning, type Ground } from './play-round.js';
import { startBenchRedis } from './redis.js';
import { spreadOf, type Spread } from './report/comparison.js';
import { formatSpread } from './report/format-comparisons.js';

const TURNS = 2;
const LOADS = [
  { name: '9 of 10 are copies', copiesOfTen: 9 },
  { name: 'no copies', copiesOfTen: 0 },
] as const;

/**
 * What the guard saves and costs: receipt alone with and without a Redis, in turn (A B A B), each turn a fresh process on
 * an empty database. Returns a table of ratios.
 */
export async function benchGuard(
  ground: Ground,
  seconds: number,
  undoLater: (step: () => Promise<void>) => void,
): Promise<string> {
  const redis = await startBenchRedis(ground.folder);
  undoLater(() => redis.end());
  const lines = ['With the guard, divided by without it:', ''];
  for (const { name, copiesOfTen } of LOADS) {
    const without: LoadResult[] = [];
    const guarded: LoadResult[] = [];
    for (let turn = 1; turn <= TURNS; turn++) {
      ground.report(`${name}, turn ${String(turn)}: without the guard`);
      without.push(await measure(ground, { turn: `${String(copiesOfTen)}_${String(turn)}_off`, copiesOfTen, seconds }));
      ground.report(`${name}, turn ${String(turn)}: with the guard`);
      const guardedTurn = { turn: `${String(copiesOfTen)}_${String(turn)}_on`, copiesOfTen, seconds };
      guarded.push(await measure(ground, { ...guardedTurn, redisUrl: redis.url }));
    }
    const ratio = (of: (result: LoadResult) => number): Spread =>
      spreadOf(guarded.map((result, at) => of(result) / (without[at] === undefined ? Number.NaN : of(without[at]))));
    lines.push(
      `${name}: events/s ${formatSpread(ratio((result) => result.eventsPerSecond))}, ` +
        `p99 ${formatSpread(ratio((result) => result.p99Ms))} (less is better)`,
    );
  }
  return lines.join('\n');
}

interface Turn {
  readonly turn: string;
  readonly copiesOfTen: number;
  readonly seconds: number;
  readonly redisUrl?: string;
}

async function measure(ground: Ground, { turn, copiesOfTen, seconds, ...redis }: Turn): Promise<LoadResult> {
  const { children, databases } = ground;
  return databases.withEmpty(`bench_guard_${turn}`, (databaseUrl) => {
    const dataFolder = `${ground.folder}/guard_${turn}`;
    return whileRunning(startCrosswalk(children, { databaseUrl, dataFolder, role: 'api', ...redis }), (contender) =>
      runLoad(children, contender, seconds, copiesOfTen),
    );
  });
}
