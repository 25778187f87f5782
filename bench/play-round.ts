import { join } from 'node:path';
import type { ChildProcesses } from './child-processes.js';
import type { Contender } from './contenders/contender.js';
import { startBlogPost } from './contenders/start-blog-post.js';
import { startCrosswalk } from './contenders/start-crosswalk.js';
import type { Databases } from './databases.js';
import type { LoadResult } from './load/load-plan.js';
import { percentile } from './load/percentile.js';
import { runLoad } from './load/run-load.js';
import { sendGently } from './load/send-gently.js';
import { measureCompletion, type Completion } from './measure-completion.js';
import type { Options } from './options.js';

export interface Ground {
  readonly children: ChildProcesses;
  readonly databases: Databases;
  /** Where Crosswalk keeps what it keeps beside its database. */
  readonly folder: string;
  readonly report: (line: string) => void;
}

export interface Round {
  readonly blogPost: LoadResult & { readonly gentleMedianMs: number };
  readonly receipt?: LoadResult;
  readonly completed?: Completion;
}

/** One turn of each contender, one after the other, each as a fresh process on an empty database. */
export async function playRound(ground: Ground, number: number, options: Options): Promise<Round> {
  const { children, databases, report } = ground;
  const turn = `bench_${String(number)}`;
  const dataFolder = join(ground.folder, turn);

  report(`round ${String(number)}: the blog-post way`);
  const blogPost = await databases.withEmpty(`${turn}_blog_post`, (databaseUrl) =>
    whileRunning(startBlogPost(children, databaseUrl), async (contender) => {
      const load = await runLoad(children, contender, options.seconds);
      return { ...load, gentleMedianMs: percentile(await sendGently(contender), 0.5) };
    }),
  );
  let round: Round = { blogPost };

  if (options.only === 'everything' || options.only === 'receipt') {
    report(`round ${String(number)}: Crosswalk, receipt alone`);
    const receipt = await databases.withEmpty(`${turn}_receipt`, (databaseUrl) =>
      whileRunning(startCrosswalk(children, { databaseUrl, dataFolder, role: 'api' }), (contender) =>
        runLoad(children, contender, options.seconds),
      ),
    );
    round = { ...round, receipt };
  }

  if (options.only === 'everything' || options.only === 'completed') {
    report(`round ${String(number)}: Crosswalk, receipt to COMPLETED`);
    const completed = await databases.withEmpty(`${turn}_completed`, (databaseUrl) =>
      whileRunning(startCrosswalk(children, { databaseUrl, dataFolder, role: 'all' }), measureCompletion),
    );
    round = { ...round, completed };
  }
  return round;
}

/** Ends the contender also when the measurement fails; the error then tells what the contender had to say. */
export async function whileRunning<T>(
  starting: Promise<Contender>,
  measure: (contender: Contender) => Promise<T>,
): Promise<T> {
  const contender = await starting;
  try {
    return await measure(contender);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${reason}\n${contender.name} printed: ${contender.lastWords() || 'nothing'}`, { cause });
  } finally {
    await contender.end();
  }
}
