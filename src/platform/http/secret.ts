import { hash, timingSafeEqual } from 'node:crypto';

/**
 * Secrets that are accepted. One that was shown is compared with all of them in a time that tells nothing: digests
 * have one length, and the comparison does not end at the first difference or the first match.
 */
export class SecretList {
  private readonly digests: readonly Buffer[];

  constructor(secrets: readonly string[]) {
    this.digests = secrets.map(digestOf);
  }

  /** The position of the secret that is equal, or -1. */
  indexOf(shown: string): number {
    const digest = digestOf(shown);
    let found = -1;
    this.digests.forEach((accepted, at) => {
      if (timingSafeEqual(digest, accepted)) found = at;
    });
    return found;
  }
}

function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
