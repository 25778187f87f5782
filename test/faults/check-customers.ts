import type { Installation } from '../support/installation.js';
import { nameOf } from './customer-events.js';
import type { CustomerEvent } from './customer-events.js';

/** What went missing, what is there more than once, and what says something else than it should. */
export interface Findings {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly wrong: readonly string[];
}

/**
 * Computes from the input alone what must be there in the end, and compares: every event once with one end, every
 * customer at its highest version under one mapping, and one record of it in the ERP, with the newest content.
 */
export async function checkCustomers(crosswalk: Installation, sent: readonly CustomerEvent[]): Promise<Findings> {
  const highest = new Map<string, number>();
  for (const { customerId, version } of sent) {
    highest.set(customerId, Math.max(version, highest.get(customerId) ?? 0));
  }
  const findings = { lost: [] as string[], doubled: [] as string[], wrong: [] as string[] };
  const expectOne = (what: string, found: number): void => {
    if (found === 0) findings.lost.push(what);
    if (found > 1) findings.doubled.push(what);
  };

  const ends = await endsByKey(crosswalk);
  const keys = new Set(sent.map(({ customerId, version }) => `customer:${customerId}:v${version}`));
  for (const key of keys) expectOne(`the end of ${key}`, ends.get(key) ?? 0);
  for (const key of ends.keys()) if (!keys.has(key)) findings.wrong.push(`nobody sent ${key}`);

  const held = await heldCustomers(crosswalk);
  const records = await crosswalk.erp.records('customers');
  for (const [customerId, version] of highest) {
    const mine = held.filter((row) => row.external_id === customerId);
    expectOne(`the mapping of ${customerId}`, mine.length);
    const [customer] = mine;
    if (customer?.order_value !== String(version)) findings.wrong.push(`${customerId} is at ${customer?.order_value}`);
    const there = records.filter(({ ref }) => ref === customer?.internal_id);
    expectOne(`the record of ${customerId} in the ERP`, there.length);
    for (const { id, raw } of there) {
      if (id !== customer?.erp_id) findings.wrong.push(`${customerId} is linked to ${customer?.erp_id}, not to ${id}`);
      const { name } = JSON.parse(raw) as { name: unknown };
      if (name !== nameOf(customerId, version)) findings.wrong.push(`the ERP calls ${customerId} ${String(name)}`);
    }
  }
  const strangers = records.length + held.length - 2 * highest.size;
  if (strangers !== 0) findings.wrong.push(`${strangers} mappings or records more than there are customers`);
  return findings;
}

/** How many ends each event that was ever accepted has. */
async function endsByKey(crosswalk: Installation): Promise<Map<string, number>> {
  const rows = await crosswalk.query<{ idempotency_key: string; ends: string }>(
    `SELECT events.idempotency_key, count(trace.trace_id) AS ends
       FROM events LEFT JOIN trace ON trace.event_id = events.event_id AND trace.status = 'COMPLETED'
      GROUP BY events.event_id, events.idempotency_key`,
  );
  const ends = new Map<string, number>();
  for (const row of rows) {
    // An event without an end still counts as one that exists: two rows of one key are two effects.
    const known = ends.get(row.idempotency_key);
    ends.set(row.idempotency_key, (known ?? 0) + Number(row.ends));
  }
  return ends;
}

interface HeldCustomer {
  readonly external_id: string;
  readonly internal_id: string;
  readonly order_value: string | null;
  readonly erp_id: string | null;
}

function heldCustomers(crosswalk: Installation): Promise<HeldCustomer[]> {
  return crosswalk.query<HeldCustomer>(
    `SELECT mappings.external_id, mappings.internal_id, records.order_value, there.external_id AS erp_id
       FROM mappings
       LEFT JOIN records ON records.system = 'crm' AND records.external_id = mappings.external_id
       LEFT JOIN mappings there ON there.system = 'erp' AND there.internal_id = mappings.internal_id
      WHERE mappings.system = 'crm'`,
  );
}
