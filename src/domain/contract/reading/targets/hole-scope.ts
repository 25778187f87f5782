/** What the holes of a call may stand for, by where the call stands. */
export interface HoleScope {
  readonly words: readonly HoleWord[];
  /** The names of the target's `secrets`. */
  readonly secrets: readonly string[];
  /** What a login took. */
  readonly taken: readonly string[];
}

export type HoleWord = 'internal_id' | 'external_id' | 'ticket' | 'current';

/** Where a hole that means nothing here would mean something. */
export const HOME_OF_WORD: Readonly<Record<HoleWord, string>> = {
  internal_id: 'the calls under `entities`',
  external_id: '`update` and `delete`; here the record may not exist yet',
  ticket: '`ask`, after `accepted` has taken it',
  current: 'a call with `before`, whose answer it is',
};
