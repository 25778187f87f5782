import type { EventType } from '../../domain/contract/contract.js';
import type { Strategy } from './decision.js';
import { ignoreRepeats, ignoreRepeatsApplyNone } from './ignore.js';
import { overwrite } from './overwrite.js';

/**
 * The strategy table.
 *
 * | strategy    | first copy        | repeats (same key)    | older            | same order value, other content |
 * | ----------- | ----------------- | --------------------- | ---------------- | ------------------------------- |
 * | `ignore`    | fields patched in | `duplicate`, no effect | stale, by field  | by key, the same everywhere     |
 * | `overwrite` | replaces record   | `duplicate`, no effect | stale            | conflict                        |
 */
export function strategyOf(eventType: EventType): Strategy {
  switch (eventType.strategy) {
    case 'ignore':
      return eventType.apply === 'none' ? ignoreRepeatsApplyNone : ignoreRepeats;
    case 'overwrite':
      return overwrite;
  }
}
