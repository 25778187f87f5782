import { movesOf, readPath, startPath } from '../../domain/state-machine/path.js';
import type { StateGraph } from '../../domain/state-machine/state-graph.js';
import type { EntityView } from '../../flow/entities/entity-view.js';
import type { AcceptedEvent } from '../../flow/inbox/accepted-event.js';
import type { Renderable } from '../../platform/http/render-json.js';

/** The state that an entity is in and how it came there; nothing where its type has no states and never had any. */
export function entityStatesView(
  { state, path }: Pick<EntityView, 'state' | 'path'>,
  graph: StateGraph | undefined,
): { readonly [name: string]: Renderable } {
  const steps = path === null ? graph && startPath(graph) : readPath(path);
  if (steps === undefined) return {};
  return {
    state: state ?? graph?.initial,
    path: (graph === undefined ? steps : movesOf(graph, steps)).map(({ state: name, eventId, order }) => ({
      state: name,
      event_id: eventId,
      order_value: order === undefined ? undefined : String(order),
    })),
  };
}

/** What an event says about states; nothing where it says nothing. */
export function eventStatesView(event: AcceptedEvent): { readonly [name: string]: Renderable } {
  return { state: event.state ?? undefined, expected_current_state: event.expected_state ?? undefined };
}
