import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Compares a secret that was shown with the ones that are accepted, in a time that tells nothing: digests have one
 * length, and all of them are compared.
 *
 * @returns the position of the one that is equal, or -1
 */
export function indexOfSecret(shown: string, accepted: readonly string[]): number {
  const digest = digestOf(shown);
  let found = -1;
  accepted.forEach((secret, at) => {
    if (timingSafeEqual(digest, digestOf(secret))) found = at;
  });
  return found;
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
