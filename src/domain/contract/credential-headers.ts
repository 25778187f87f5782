import type { IngestAuth } from './contract.js';

/** The headers in which a sender shows one of these credentials, in lower case. */
export function credentialHeaders(auth: readonly IngestAuth[]): readonly string[] {
  return auth.map((scheme) => (scheme.scheme === 'basic' ? 'authorization' : scheme.header.toLowerCase()));
}
