import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newInternalId } from './ids.js';
import {
  NO_REFERENCES,
  mergeReferences,
  parseReferences,
  writeReferences,
  type RecordReferences,
} from './record-references.js';

const [ada, bob] = [newInternalId(0), newInternalId(1)];
const said = (internalId: typeof ada | undefined, order: bigint | undefined, key = ''): RecordReferences =>
  new Map([
    [
      '/customer_id',
      {
        references: internalId === undefined ? [] : [{ path: '/customer_id', entityType: 'customer', internalId }],
        order,
        key,
      },
    ],
  ]);
const who = (references: RecordReferences) =>
  [...references.values()].flatMap((dated) => dated.references.map(({ internalId }) => internalId));

describe('the references of a record', () => {
  test.each([
    ['a later one replaces', said(ada, 1n), said(bob, 2n), [bob]],
    ['an earlier one is late', said(ada, 2n), said(bob, 1n), [ada]],
    ['none at a later date takes it away', said(ada, 1n), said(undefined, 2n), []],
    ['a patch of the date of a replacement wins', said(ada, 1n), said(bob, 1n, 'k'), [bob]],
    ['a replacement of the date of a patch does not', said(ada, 1n, 'k'), said(bob, 1n), [ada]],
    ['of two patches of one date the greater key wins', said(ada, 1n, 'k'), said(bob, 1n, 'j'), [ada]],
    ['without order the last one counts', said(ada, undefined), said(bob, undefined), [bob]],
    ['without order it counts as fresh', said(ada, 7n), said(bob, undefined, 'k'), [bob]],
  ])('%s', (_what, first, second, expected) => {
    expect(who(mergeReferences(mergeReferences(NO_REFERENCES, first), second))).toEqual(expected);
  });

  test('other rules are left alone, and nothing is made anew where nothing changes', () => {
    const held = mergeReferences(said(ada, 1n), new Map([['/seller', { references: [], order: 1n, key: '' }]]));
    expect([...held.keys()]).toEqual(['/customer_id', '/seller']);
    expect(mergeReferences(held, said(bob, 0n))).toBe(held);
    expect(mergeReferences(held, NO_REFERENCES)).toBe(held);
  });

  test('end the same whatever the order of dated events', () => {
    const event = fc.record({ order: fc.bigInt(0n, 4n), key: fc.constantFrom('a', 'b', 'c') });
    const events = fc.uniqueArray(event, { selector: ({ order, key }) => `${order}:${key}` });
    fc.assert(
      fc.property(events, fc.infiniteStream(fc.nat()), (list, random) => {
        const news = list.map(({ order, key }, at) => said(newInternalId(at), order, key));
        const shuffled = news.toSorted(() => ((random.next().value as number) % 2 === 0 ? 1 : -1));
        const end = (each: readonly RecordReferences[]) => each.reduce(mergeReferences, NO_REFERENCES);
        expect(end(shuffled)).toEqual(end(news));
      }),
    );
  });

  test('come back from storage as they were', () => {
    const held = mergeReferences(
      said(ada, 9007199254740993n, 'k'),
      new Map([['/x', { references: [], order: undefined, key: 'j' }]]),
    );
    expect(parseReferences(writeReferences(held))).toEqual(held);
    expect(parseReferences(writeReferences(NO_REFERENCES))).toEqual(NO_REFERENCES);
    expect(writeReferences(NO_REFERENCES)).toBeNull();
  });
});
