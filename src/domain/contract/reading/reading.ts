import type { Mistakes } from './mistakes.js';
import type { Place } from './place.js';

/** What every reader of a section needs: the whole file, the environment, and where to put mistakes. */
export interface Reading {
  readonly root: Place;
  readonly env: (name: string) => string | undefined;
  readonly mistakes: Mistakes;
  /** Keys that identify a caller by themselves → who has them; two callers with one key could not be told apart. */
  readonly callerByKey: Map<string, string>;
}
