import type { Fact, Rules } from './fact.js';

export type Data = Readonly<Record<string, unknown>>;

export interface ExpectedEntity {
  readonly type: string;
  readonly externalId: string;
  /** Undefined: it is known by name only, because somebody referred to it. */
  readonly data: Data | undefined;
  readonly isDeleted: boolean;
  /** Everything that it ever was, as a whole: a target that cannot be told to delete keeps one of these. */
  readonly formerData: readonly Data[];
  /** Its states from the initial to the current one; undefined where it has none. */
  readonly path: readonly string[] | undefined;
  /** Who has to have exactly one record of it. */
  readonly targets: readonly string[];
}

export interface ExpectedWorld {
  /** Every key that was sent, and how its event ends. */
  readonly ends: ReadonlyMap<string, 'COMPLETED' | 'PARKED'>;
  readonly entities: readonly ExpectedEntity[];
}

/** What must be in the end, whatever went wrong on the way, computed from the facts alone; copies and order are nothing. */
export function expectedWorld(facts: readonly Fact[], rules: Rules): ExpectedWorld {
  const distinct = [...new Map(facts.map((fact) => [fact.idempotency_key, fact])).values()];
  const waiting = new Set(distinct.filter((fact) => waitsForEver(fact, distinct, rules)));
  for (const stuck of stuckTransitions(distinct, rules)) waiting.add(stuck);
  const landed = distinct.filter((fact) => !waiting.has(fact));

  const byEntity = new Map<string, Fact[]>();
  for (const fact of landed) {
    const name = nameOf(fact.entity.type, fact.entity.external_id);
    byEntity.set(name, [...(byEntity.get(name) ?? []), fact]);
  }
  const entities = [...byEntity.values()].map((ofOne) => expectedEntity(ofOne, rules));
  return {
    ends: new Map(distinct.map((fact) => [fact.idempotency_key, waiting.has(fact) ? 'PARKED' : 'COMPLETED'])),
    entities: [...entities, ...knownByNameOnly(landed, byEntity, rules)],
  };
}

export function nameOf(type: string, externalId: string): string {
  return `${type} ${externalId}`;
}

/** A fact about something that belongs to an entity of which nobody ever said anything. */
function waitsForEver(fact: Fact, all: readonly Fact[], rules: Rules): boolean {
  const reference = rules.events[fact.event_type]?.refersTo;
  if (reference?.missing !== 'wait') return false;
  const id = fact.payload[reference.member];
  return !all.some(({ entity }) => entity.type === reference.type && entity.external_id === id);
}

/** Facts of entities without versions whose state is not reached because a state before it was never reported. */
function stuckTransitions(all: readonly Fact[], rules: Rules): Fact[] {
  const moves = all.filter(({ version, state }) => state !== undefined && version === undefined);
  return moves.filter((fact) => !statesReached(fact, moves, rules).includes(fact.state ?? ''));
}

/** The walk through the graph that the reported states of the fact's entity make: each entity goes one way only. */
function statesReached({ entity }: Fact, moves: readonly Fact[], rules: Rules): string[] {
  const graph = rules.graphs[entity.type] ?? {};
  const reported = new Set(
    moves
      .filter(
        (other) => nameOf(other.entity.type, other.entity.external_id) === nameOf(entity.type, entity.external_id),
      )
      .map(({ state }) => state),
  );
  const path = Object.keys(graph).slice(0, 1);
  for (let next = path[0]; next !== undefined;) {
    next = graph[next]?.find((state) => reported.has(state) && !path.includes(state));
    if (next !== undefined) path.push(next);
  }
  return path;
}

function expectedEntity(facts: readonly Fact[], rules: Rules): ExpectedEntity {
  const [first] = facts;
  if (first === undefined) throw new Error('An entity without facts.');
  const effects = facts.map((fact) => rules.events[fact.event_type]?.effect.kind);
  const sorted = [...facts].sort((a, b) => (a.version ?? 0) - (b.version ?? 0));
  const newest = sorted.at(-1);
  const isWhole = effects.some((kind) => kind === 'replaces' || kind === 'deletes');
  const isDeleted = isWhole && rules.events[newest?.event_type ?? '']?.effect.kind === 'deletes';
  return {
    type: first.entity.type,
    externalId: first.entity.external_id,
    data: isWhole ? (isDeleted ? {} : newest?.payload) : gathered(facts, rules),
    isDeleted,
    formerData: sorted
      .filter(({ event_type }) => rules.events[event_type]?.effect.kind === 'replaces')
      .map(({ payload }) => payload),
    path: pathOf(sorted, rules),
    targets: isDeleted ? [] : [...new Set(facts.flatMap((fact) => rules.events[fact.event_type]?.targets ?? []))],
  };
}

function pathOf(sorted: readonly Fact[], rules: Rules): string[] | undefined {
  const [first] = sorted;
  const graph = first === undefined ? undefined : rules.graphs[first.entity.type];
  if (first === undefined || graph === undefined) return undefined;
  if (first.version === undefined) return statesReached(first, sorted, rules);
  return [...Object.keys(graph).slice(0, 1), ...sorted.flatMap(({ state }) => state ?? [])];
}

function gathered(facts: readonly Fact[], rules: Rules): Data {
  const data: Record<string, unknown> = {};
  for (const { event_type, payload } of facts) {
    const effect = rules.events[event_type]?.effect;
    if (effect?.kind === 'adds fields') Object.assign(data, payload);
    if (effect?.kind !== 'absorbs') continue;
    const { sum, max, appendById } = effect;
    // Whole numbers throughout, which add without loss.
    data[sum.field] = asNumber(data[sum.field]) + asNumber(payload[sum.from]);
    data[max] = Math.max(asNumber(data[max]), asNumber(payload[max]));
    const list = (data[appendById.field] ?? []) as unknown[];
    data[appendById.field] = [...list, payload[appendById.field]];
  }
  return data;
}

function asNumber(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function knownByNameOnly(landed: readonly Fact[], known: ReadonlyMap<string, unknown>, rules: Rules): ExpectedEntity[] {
  const names = new Map<string, { readonly type: string; readonly externalId: string }>();
  for (const { event_type, payload } of landed) {
    const reference = rules.events[event_type]?.refersTo;
    const id = reference === undefined ? undefined : payload[reference.member];
    if (reference === undefined || typeof id !== 'string') continue;
    if (!known.has(nameOf(reference.type, id))) {
      names.set(nameOf(reference.type, id), { type: reference.type, externalId: id });
    }
  }
  const nothing = { data: undefined, isDeleted: false, formerData: [], path: undefined, targets: [] };
  return [...names.values()].map((name) => ({ ...name, ...nothing }));
}
