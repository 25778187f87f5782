import type { Condition } from './condition.js';

/** What an answer must look like: one of the statuses (none named: any), and all of the conditions. */
export interface AnswerMatch {
  readonly statuses: readonly number[];
  readonly when: readonly Condition[];
}
