import { parseArgs } from 'node:util';

const NAMES = ['receipt', 'completed', 'blog-post', 'guard'] as const;
const DEFAULT_SECONDS = 8;

export interface Options {
  /**
   * `blog-post` runs the peer alone, to see that it runs; `receipt` and `completed` compare one thing with it; `guard`
   * compares Crosswalk with itself.
   */
  readonly only: (typeof NAMES)[number] | 'everything';
  /** How long each turn of the load is measured. */
  readonly seconds: number;
}

/** Reads the words behind `npm run bench --`. Throws an error for people when it does not know one. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({ args: [...args], options: { only: { type: 'string' }, seconds: { type: 'string' } } });
  const seconds = Number(values.seconds ?? DEFAULT_SECONDS);
  if (!(seconds >= 1 && seconds <= 600)) throw new Error('--seconds wants a number from 1 to 600.');
  if (values.only === undefined) return { only: 'everything', seconds };
  const only = NAMES.find((name) => name === values.only);
  if (only === undefined) throw new Error(`--only wants one of ${NAMES.join(', ')}; it was "${values.only}".`);
  return { only, seconds };
}
