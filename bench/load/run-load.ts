import type { ChildProcesses } from '../child-processes.js';
import type { Contender } from '../contenders/contender.js';
import type { LoadPlan, LoadResult } from './load-plan.js';

export const CONNECTIONS = 64;
const WARM_UP_SECONDS = 3;

/** Runs the load generator against a contender as a process of its own. Rejects when any answer was not 2xx. */
export async function runLoad(
  children: ChildProcesses,
  contender: Contender,
  measureSeconds: number,
  copiesOfTen = 0,
): Promise<LoadResult> {
  const plan: LoadPlan = {
    url: contender.eventsUrl,
    headers: contender.headers,
    connections: CONNECTIONS,
    warmUpSeconds: WARM_UP_SECONDS,
    measureSeconds,
    copiesOfTen,
  };
  const generator = children.start({
    name: `The load on ${contender.name}`,
    file: new URL('./load.js', import.meta.url),
    args: [JSON.stringify(plan)],
  });
  return JSON.parse(await generator.output) as LoadResult;
}
