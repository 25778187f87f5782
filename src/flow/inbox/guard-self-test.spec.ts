import { describe, expect, test } from '@jest/globals';
import { testGuardStore } from './guard-self-test.js';
import type { GuardEntry, GuardStore } from './guard-store.js';

/** A Redis in memory; a fault is what a client or a server makes of the options. */
function storeWith(
  fault: Partial<{ ignoresNx: boolean; claimsNx: boolean; lifeMs: (seconds: number) => number }> = {},
) {
  const kept = new Map<string, GuardEntry>();
  const store: GuardStore = {
    read: async (keys) => keys.map((key) => kept.get(key)?.value ?? null),
    write: async (entries) =>
      entries.map((entry) => {
        const isNew = !kept.has(entry.key);
        if (isNew || fault.ignoresNx === true) kept.set(entry.key, entry);
        return isNew || (fault.ignoresNx === true && fault.claimsNx !== true);
      }),
    lifeMs: async (key) => (fault.lifeMs ?? ((seconds) => seconds * 1_000))(kept.get(key)?.lifeSeconds ?? 0),
    forget: async (key) => kept.delete(key),
  };
  return { store, kept };
}

describe('the self-test of the guard', () => {
  test('passes a Redis that keeps its word, and leaves nothing there', async () => {
    const { store, kept } = storeWith();
    await testGuardStore(store, 'throw-away');
    expect(kept.size).toBe(0);
  });

  test.each([
    { name: 'writes what is there', fault: { ignoresNx: true }, reason: 'wrote a key that was there' },
    {
      name: 'says that it did not, and does',
      fault: { ignoresNx: true, claimsNx: true },
      reason: 'did not keep the first value',
    },
    { name: 'keeps for ever', fault: { lifeMs: () => -1 }, reason: 'keeps for ever' },
    { name: 'takes seconds for milliseconds', fault: { lifeMs: (seconds: number) => seconds }, reason: '60 ms' },
    { name: 'takes them for something longer', fault: { lifeMs: () => 60_000_000 }, reason: '60000000 ms' },
    { name: 'forgets at once', fault: { lifeMs: () => 0 }, reason: '0 ms' },
  ])('refuses one that $name', async ({ fault, reason }) => {
    await expect(testGuardStore(storeWith(fault).store, 'throw-away')).rejects.toThrow(reason);
  });

  test('refuses one that writes nothing', async () => {
    const { store } = storeWith();
    await store.write([{ key: 'throw-away', value: 'of somebody else', lifeSeconds: 60 }]);
    await expect(testGuardStore(store, 'throw-away')).rejects.toThrow('did not write');
  });
});
