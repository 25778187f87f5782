import { expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GuardEntry } from './guard-store.js';
import { GuardWriter } from './guard-writer.js';

const entry = (at: number): GuardEntry => ({ key: `k${String(at)}`, value: 'v', lifeSeconds: 1 });

test('writes one group at a time, forgets what fails, and goes on', async () => {
  const groups: { readonly size: number; readonly end: (error?: Error) => void }[] = [];
  const writer = new GuardWriter(
    (entries) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error): void => (error === undefined ? resolve(undefined) : reject(error));
        groups.push({ size: entries.length, end });
      }),
  );
  for (let at = 0; at < 700; at++) writer.add(entry(at));
  await nextTurn();
  expect(groups.map(({ size }) => size)).toEqual([500]);
  groups[0]?.end(new Error('OOM command not allowed'));
  await nextTurn();
  expect(groups.map(({ size }) => size)).toEqual([500, 200]);
  writer.add(entry(700));
  await nextTurn();
  expect(groups).toHaveLength(2);
  groups[1]?.end();
  await nextTurn();
  expect(groups.map(({ size }) => size)).toEqual([500, 200, 1]);
});

test('keeps no more in memory than it is allowed to, while Redis takes nothing', async () => {
  let written = 0;
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const writer = new GuardWriter(async (entries) => {
    written += entries.length;
    await held;
  });
  writer.add(entry(0));
  await nextTurn();
  for (let at = 1; at < 20_000; at++) writer.add(entry(at));
  letGo();
  while (written < 5_001) await nextTurn();
  await nextTurn();
  expect(written).toBe(5_001);
});
