/** A line of the source that keeps a promise, and the test that fails without it. */
export interface Guard {
  readonly name: string;
  /** What no longer holds without it, in one sentence. */
  readonly promise: string;
  /** Where it stands, from the root. */
  readonly file: string;
  /** The text that is taken out; it stands there exactly once. */
  readonly text: string;
  /** What stands there instead, so that the program still runs and only the promise is gone. */
  readonly replacement: string;
  readonly test: GuardTest;
}

export interface GuardTest {
  readonly file: string;
  /** The title as the file has it, placeholders of `test.each` included. */
  readonly title: string;
  /** Which row of a `test.each`: what stands in the place of the first placeholder. Absent: all rows. */
  readonly row?: string;
  /** The title of the `describe.each` around it, placeholders filled in, where one row of it is enough. */
  readonly suite?: string;
}

export interface GuardGroup {
  readonly title: string;
  readonly guards: readonly Guard[];
}

export const GROUPS: readonly GuardGroup[];
export const GUARDS: readonly Guard[];
