import { randomFrom } from '../support/random-from.js';

export const CUSTOMERS = 100;
export const VERSIONS = 10;
const COPIES = 3;

/** One sending of one version of one customer. */
export interface CustomerEvent {
  readonly customerId: string;
  readonly version: number;
  readonly body: string;
}

/** Every version of every customer, each three times, in an order that the seed decides. */
export function shuffledCustomerEvents(seed: number): CustomerEvent[] {
  const events = Array.from({ length: CUSTOMERS * VERSIONS * COPIES }, (_, at) => {
    const customerId = `C-${at % CUSTOMERS}`;
    const version = (Math.floor(at / CUSTOMERS) % VERSIONS) + 1;
    const name = nameOf(customerId, version);
    const fields = { event_type: 'customer.updated', customer_id: customerId, version, name };
    return { customerId, version, body: JSON.stringify(fields) };
  });
  const random = randomFrom(seed);
  for (let last = events.length - 1; last > 0; last--) {
    const other = random(last + 1);
    const [a, b] = [events[last], events[other]];
    if (a !== undefined && b !== undefined) [events[last], events[other]] = [b, a];
  }
  return events;
}

/** What a customer is called in one version; no two versions say the same. */
export function nameOf(customerId: string, version: number): string {
  return `${customerId} as of version ${version}`;
}
