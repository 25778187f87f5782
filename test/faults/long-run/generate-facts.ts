import type { Fact, Graph, Rules } from '../checker/fact.js';
import { oneOf } from './shuffle.js';
import type { Random } from './shuffle.js';

/** The hot entities: 200 in all, so that most events meet others about the same thing. */
const CUSTOMERS = 80;
const ORDERS = 60;
const STOCK = 40;
const MOVING = 20;
/** One in so many orders names a customer of whom nobody ever speaks; one in so many chains of states has a hole. */
const ORPHANS = 20;
const HOLES = 12;

/** So many distinct facts, of all event types of the rules. */
export function generateFacts(count: number, rules: Rules, random: Random): Fact[] {
  const generator = new FactGenerator(rules, random);
  const facts: Fact[] = [];
  while (facts.length < count) facts.push(...generator.next());
  return facts.slice(0, count);
}

class FactGenerator {
  private readonly versions = new Map<string, number>();
  private readonly machines = new Map<string, string>();
  private number = 0;

  constructor(
    private readonly rules: Rules,
    private readonly random: Random,
  ) {}

  /** One fact, or the whole life of something that has states. */
  next(): Fact[] {
    this.number += 1;
    const draw = this.random(100);
    if (draw < 40) return [this.customer()];
    if (draw < 60) return [this.order()];
    if (draw < 80) return [this.stock()];
    if (draw < 90 || Object.keys(this.rules.graphs).length === 0) return [this.payment()];
    if (draw < 94) return this.chain('parcel', `PC-${this.number}`);
    if (draw < 97) return this.chain('claim', `CL-${this.number}`);
    return [this.machine(`M-${this.random(MOVING)}`)];
  }

  private customer(): Fact {
    const id = `C-${this.random(CUSTOMERS)}`;
    const version = this.nextVersion(id);
    if (this.random(15) === 0) return fact('customer.deleted', id, { version, payload: {} });
    const payload = { name: `${id} as of ${version}`, email: `${id}.${version}@example.com`, version };
    return fact('customer.updated', id, { version, payload });
  }

  private order(): Fact {
    const number = this.random(ORDERS);
    const id = `O-${number}`;
    const version = this.nextVersion(id);
    const customer_id = number % ORPHANS === 0 ? `C-ghost-${number}` : `C-${number % CUSTOMERS}`;
    return fact('order.placed', id, { version, payload: { customer_id, total: `${version}.${number + 10}` } });
  }

  private stock(): Fact {
    const id = `S-${this.random(STOCK)}`;
    const delta = this.random(100) - 30;
    const notes = { note_id: `N-${this.number}`, text: `counted by ${this.random(9)}` };
    const payload = { delta, largest: this.random(100_000), notes };
    return { ...fact('stock.adjusted', id, { payload }), idempotency_key: `stock:${id}:${this.number}` };
  }

  private payment(): Fact {
    const id = `P-${this.number}`;
    return fact('payment.completed', id, { payload: { number: id, amount: `${this.random(100_000)}.00` } });
  }

  /** A walk from the initial state to an end; a few lack one step in the middle, and what follows it waits for ever. */
  private chain(type: string, id: string): Fact[] {
    const graph = this.rules.graphs[type] ?? {};
    const path = this.walk(graph);
    const hole = this.random(HOLES) === 0 ? 1 : path.length;
    return path
      .filter((_, at) => at !== hole)
      .map((state) => ({
        ...fact(`${type}.moved`, id, { payload: { [`${state.toLowerCase()}_by`]: `clerk ${this.random(9)}` } }),
        idempotency_key: `${type}:${id}:${state}`,
        state,
      }));
  }

  private walk(graph: Graph): string[] {
    const path: string[] = [];
    let [state] = Object.keys(graph);
    for (let next = graph[state ?? ''] ?? []; next.length > 0; next = graph[state] ?? []) {
      state = oneOf(next, this.random);
      path.push(state);
    }
    return path;
  }

  private machine(id: string): Fact {
    const graph = this.rules.graphs['machine'] ?? {};
    const state = oneOf(graph[this.machines.get(id) ?? Object.keys(graph)[0] ?? ''] ?? [], this.random);
    this.machines.set(id, state);
    const version = this.nextVersion(id);
    return { ...fact('machine.moved', id, { version, payload: { shown: state, version } }), state };
  }

  private nextVersion(id: string): number {
    const version = (this.versions.get(id) ?? 0) + 1;
    this.versions.set(id, version);
    return version;
  }
}

function fact(
  event_type: string,
  external_id: string,
  rest: { readonly version?: number; readonly payload: Fact['payload'] },
): Fact {
  const [type = ''] = event_type.split('.');
  // The type of an event is no part of its key: a version is either an update or a delete.
  const idempotency_key = `${type}:${external_id}:v${rest.version ?? 1}`;
  return { idempotency_key, event_type, entity: { type, external_id }, ...rest };
}
