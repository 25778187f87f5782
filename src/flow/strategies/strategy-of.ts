import type { EntityType, EventType } from '../../domain/contract/contract.js';
import type { Strategy } from './decision.js';
import { ignoreRepeats, ignoreRepeatsApplyNone } from './ignore.js';
import { merge } from './merge.js';
import { deleteBy, overwriteBy } from './overwrite.js';

/**
 * The strategy table.
 *
 * | strategy    | first copy                    | repeats (same key)     | older                    | same order value, other content |
 * | ----------- | ----------------------------- | ---------------------- | ------------------------ | ------------------------------- |
 * | `ignore`    | fields patched in             | `duplicate`, no effect | stale, by field          | by key, the same everywhere     |
 * | `overwrite` | replaces the record           | `duplicate`, no effect | stale                    | conflict, or as `ties` says     |
 * | … `delete`  | leaves a tombstone            | `duplicate`, no effect | stale                    | conflict, or as `ties` says     |
 * | `merge`     | rules add, the rest is a patch | `duplicate`, no effect | rules add; stale by place | by key, the same everywhere     |
 */
export function strategyOf(eventType: EventType, { ties }: Pick<EntityType, 'ties'>): Strategy {
  switch (eventType.strategy) {
    case 'ignore':
      return eventType.apply === 'none' ? ignoreRepeatsApplyNone : ignoreRepeats;
    case 'overwrite':
      return eventType.operation === 'delete' ? deleteBy(ties) : overwriteBy(ties);
    case 'merge':
      return merge;
  }
}
