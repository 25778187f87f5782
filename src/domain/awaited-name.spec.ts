import { describe, expect, test } from '@jest/globals';
import { awaitedName, readAwaitedName, type AwaitedThing } from './awaited-name.js';
import { newInternalId } from './ids.js';

describe('the name of an awaited thing', () => {
  const things: readonly AwaitedThing[] = [
    { kind: 'mapping', system: 'crm', type: 'customer', externalId: '77' },
    { kind: 'mapping', system: 'crm', type: 'customer', externalId: 'a:b%3A:c' },
    { kind: 'mapping', system: 'crm', type: 'customer', externalId: ' ünï ✓' },
    { kind: 'state', internalId: newInternalId(0) },
  ];

  test.each(things)('is read back: %j', (thing) => {
    expect(readAwaitedName(awaitedName(thing))).toEqual(thing);
  });

  test('is another one for each thing', () => {
    const ids = ['a:b', 'a%3Ab', 'a'].map((externalId) =>
      awaitedName({ kind: 'mapping', system: 's', type: 't', externalId }),
    );
    expect(new Set(ids).size).toBe(3);
  });

  test.each(['', 'mapping:crm', 'state:77', 'other:a:b:c'])('is not %j', (name) => {
    expect(() => readAwaitedName(name)).toThrow('awaited');
  });
});
