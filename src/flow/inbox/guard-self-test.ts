import type { GuardStore } from './guard-store.js';

const LIFE_SECONDS = 60;

/**
 * Proves on a throw-away key that a second write changes nothing and that what is written is forgotten after the time
 * asked for, in seconds. A client or a server that takes the options in another form would make keys immortal, or let a
 * later write win, without any error.
 *
 * @throws Error that says what does not hold, or that Redis does not do it now
 */
export async function testGuardStore(store: GuardStore, throwAwayKey: string): Promise<void> {
  const write = async (value: string): Promise<boolean | undefined> =>
    (await store.write([{ key: throwAwayKey, value, lifeSeconds: LIFE_SECONDS }]))[0];
  if ((await write('first')) !== true) throw new Error('Redis did not write a key that was not there.');
  if ((await write('second')) !== false) throw new Error('Redis wrote a key that was there (SET … NX).');
  const [kept] = await store.read([throwAwayKey]);
  if (kept !== 'first') throw new Error('Redis did not keep the first value of a key (SET … NX).');
  const lifeMs = await store.lifeMs(throwAwayKey);
  if (lifeMs > LIFE_SECONDS * 1_000 || lifeMs < LIFE_SECONDS * 500) {
    const found = lifeMs < 0 ? 'for ever' : `for ${String(lifeMs)} ms`;
    throw new Error(`Redis keeps ${found} what was to be kept for ${String(LIFE_SECONDS)} s (SET … EX).`);
  }
  await store.forget(throwAwayKey);
}
