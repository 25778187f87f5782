import type { RetryPolicy } from './contract/contract.js';

/**
 * Delay before retry n (from 1): `min(cap, base · 2^(n-1)) + uniform(0, jitter)`. The spread lies on top of the cap
 * too, so that many failures of one moment do not come back as one wave.
 *
 * @param random from 0 to 1
 */
export function backoffDelayMs(retry: number, policy: RetryPolicy, random: number): number {
  const capMs = policy.capSeconds * 1000;
  // 2^50 seconds are beyond any cap; a larger exponent would only risk Infinity.
  const growth = 2 ** Math.min(Math.max(retry, 1) - 1, 50);
  const delayMs = Math.min(capMs, policy.backoffBaseSeconds * 1000 * growth);
  return Math.round(delayMs + random * policy.backoffJitterMs);
}
