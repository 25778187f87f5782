import type { Answer, SystemRequest } from '../answer.js';
import type { Jobs } from '../jobs.js';
import type { Collection, RecordStore } from '../record-store.js';
import type { Settings } from '../settings.js';

/** Why a request is turned away before anybody looks at what it wants. */
export type Refusal = 'unauthorized' | 'throttled';

export interface DialectParts {
  readonly store: RecordStore;
  readonly jobs: Jobs;
  readonly settings: Settings;
}

/** One way of speaking about records. All dialects share store, faults, limits, authentication and control plane. */
export interface Dialect {
  readonly nameId: (collection: Collection, number: number) => string;
  /** What such a system does unless it is told otherwise. */
  readonly settings: Partial<Settings>;
  answer(parts: DialectParts, request: SystemRequest): Answer;
  refuse(refusal: Refusal): Answer;
  /** The body without the credentials that stand in it. */
  mask?(body: string): string;
}
