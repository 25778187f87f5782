import type { EventRules, Graph, Rules } from '../checker/fact.js';

/** A contract of the long run, and what its event types do, told once more in the checker's words. */
export interface Scope {
  /** Path from the root of the repository. */
  readonly contract: string;
  readonly rules: Rules;
}

const EVENTS: Readonly<Record<string, EventRules>> = {
  'customer.updated': { effect: { kind: 'replaces' }, targets: ['erp', 'wms'] },
  'customer.deleted': { effect: { kind: 'deletes' }, targets: [] },
  'payment.completed': { effect: { kind: 'adds fields' }, targets: ['erp'] },
  'stock.adjusted': {
    effect: {
      kind: 'absorbs',
      sum: { field: 'quantity', from: 'delta' },
      max: 'largest',
      appendById: { field: 'notes', from: 'note_id' },
    },
    targets: ['erp'],
  },
  'order.placed': {
    effect: { kind: 'replaces' },
    targets: ['erp', 'wms'],
    refersTo: { member: 'customer_id', type: 'customer', missing: 'wait' },
  },
};

/** One way through and no versions. */
const PARCEL: Graph = { PACKED: ['SHIPPED'], SHIPPED: ['DELIVERED'], DELIVERED: ['SIGNED'], SIGNED: [] };
/** Two ways, of which each claim takes one. */
const CLAIM: Graph = {
  OPEN: ['REVIEWED'],
  REVIEWED: ['APPROVED', 'REJECTED'],
  APPROVED: ['PAID'],
  REJECTED: ['CLOSED'],
  PAID: [],
  CLOSED: [],
};
/** Round and round: only versions tell late from early. */
const MACHINE: Graph = { IDLE: ['RUNNING'], RUNNING: ['IDLE', 'BROKEN'], BROKEN: ['IDLE'] };

export const LONG_RUN: Scope = {
  contract: 'test/faults/faults-states-contract.yaml',
  rules: {
    events: {
      ...EVENTS,
      'parcel.moved': { effect: { kind: 'adds fields' }, targets: ['wms'] },
      'claim.moved': { effect: { kind: 'adds fields' }, targets: [] },
      'machine.moved': { effect: { kind: 'replaces' }, targets: ['erp'] },
    },
    graphs: { parcel: PARCEL, claim: CLAIM, machine: MACHINE },
  },
};
