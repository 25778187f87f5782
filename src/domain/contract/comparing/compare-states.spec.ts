import { describe, expect, test } from '@jest/globals';
import { compareContracts } from '../compare-contracts.js';

const contract = (states: string) => `systems: {}
entities: { order: { order_by: version${states} } }
events: {}
`;
const BEFORE = contract(', states: { initial: NEW, NEW: [PAID, LOST], PAID: [SENT], SENT: [] }');

const endangered = (after: string) =>
  compareContracts(BEFORE, contract(after)).map(({ kind, path, endangers }) => [
    kind,
    path,
    ...(endangers?.kind === 'state' ? [`${endangers.entityType} ${endangers.state}`] : []),
  ]);

describe('entities may be in a state that another contract does not have', () => {
  test('where it was taken away', () => {
    expect(endangered(', states: { initial: NEW, NEW: [PAID, LOST], PAID: [] }')).toEqual([
      ['state', 'entities.order.states.SENT', 'order SENT'],
      ['other', 'entities.order.states.PAID'],
    ]);
  });

  test('where it stood among those that follow another one only', () => {
    expect(endangered(', states: { initial: NEW, NEW: [PAID], PAID: [SENT], SENT: [] }')).toEqual([
      ['state', 'entities.order.states.NEW[1]', 'order LOST'],
    ]);
  });

  test('where all of them were', () => {
    expect(endangered('').filter(([kind]) => kind === 'state')).toEqual([
      ['state', 'entities.order.states.NEW', 'order NEW'],
      ['state', 'entities.order.states.PAID', 'order PAID'],
      ['state', 'entities.order.states.SENT', 'order SENT'],
      ['state', 'entities.order.states.NEW[1]', 'order LOST'],
    ]);
  });

  test('but not where steps were added, or the first state is another one', () => {
    const after = ', states: { initial: PAID, NEW: [PAID, LOST, SENT], PAID: [SENT, NEW], SENT: [LOST], LOST: [] }';
    expect(endangered(after).filter(([kind]) => kind === 'state')).toEqual([]);
  });
});
