import type { CallTemplate } from './call-template.js';

export type CallMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface TargetCall {
  readonly method: CallMethod;
  /** A call template, filled with everything percent-encoded: path and query below the base, or a whole address. */
  readonly path: string;
  /** Header by its name as written; absent: none of its own. */
  readonly headers?: ReadonlyMap<string, CallTemplate>;
  /** Source text of a JSONata expression over `{ entity, event, mapping, refs, state, current, ticket }`. */
  readonly body?: string;
}
