import type { DangerousChange } from '../contract-change.js';
import type { Place } from '../reading/place.js';
import { graphAt } from '../reading/read-states.js';
import { shown } from './written.js';

/** The states that were taken away, also together with all others. Entities in them would have nowhere to go. */
export function compareStates(before: Place, after: Place): readonly DangerousChange[] {
  const entityTypes = after.at('entities')?.entries() ?? [];
  return entityTypes.flatMap(([entityType, newer]) => {
    const former = before.at('entities')?.at(entityType)?.at('states');
    const left = new Set(graphAt(newer.at('states'))?.states.keys());
    const gone = [...(graphAt(former)?.states.keys() ?? [])].filter((state) => !left.has(state));
    return gone.map((state): DangerousChange => {
      const place = former === undefined ? undefined : placeOf(state, former);
      return {
        kind: 'state',
        path: place?.path ?? newer.path,
        before: place === undefined ? state : shown(place),
        endangers: { kind: 'state', entityType, state },
      };
    });
  });
}

/** Where the state stands: under its own name, or only among those that follow others. */
function placeOf(state: string, states: Place): Place | undefined {
  const followers = states.entries().flatMap(([, next]) => next.items());
  return states.at(state) ?? followers.find((item) => item.text() === state);
}
