import type { SignatureAuth } from '../contract.js';
import type { SignedPart } from '../signed-part.js';

/** A scheme by its vendor's documentation, without the keys. */
export type SignaturePreset = Omit<SignatureAuth, 'keys' | 'timestamp'> & {
  readonly timestamp?: Omit<NonNullable<SignatureAuth['timestamp']>, 'toleranceSeconds'>;
};

const BODY: SignedPart = { kind: 'body' };
const TIMESTAMP: SignedPart = { kind: 'timestamp' };
const DOT: SignedPart = { kind: 'text', text: '.' };

/** What a scheme's name stands for; several, where a sender may use either of several sets of headers. */
export const SIGNATURE_PRESETS: ReadonlyMap<string, readonly SignaturePreset[]> = new Map([
  // standardwebhooks.com
  ['standard-webhooks', [standardWebhooks('webhook')]],
  // docs.svix.com/receiving/verifying-payloads/how-manual: the older names of the same headers, or the newer ones.
  ['svix', [standardWebhooks('svix'), standardWebhooks('webhook')]],
  // docs.stripe.com/webhooks/signature: `t=1492774577,v1=5257…,v0=6ffb…`
  [
    'stripe',
    [
      {
        ...sha256('stripe-signature', 'hex', 'v1='),
        signed: [TIMESTAMP, DOT, BODY],
        timestamp: { at: { part: 't' }, format: 'unix' },
      },
    ],
  ],
  // shopify.dev/docs/apps/build/webhooks/subscribe/https
  ['shopify', [{ ...sha256('x-shopify-hmac-sha256', 'base64', ''), signed: [BODY] }]],
  // docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
  ['github', [{ ...sha256('x-hub-signature-256', 'hex', 'sha256='), signed: [BODY] }]],
]);

function standardWebhooks(headers: string): SignaturePreset {
  return {
    ...sha256(`${headers}-signature`, 'base64', 'v1,'),
    signed: [{ kind: 'header', name: `${headers}-id` }, DOT, TIMESTAMP, DOT, BODY],
    timestamp: { at: { header: `${headers}-timestamp` }, format: 'unix' },
  };
}

function sha256(header: string, encoding: SignaturePreset['encoding'], prefix: string) {
  return { scheme: 'signature', header, algorithm: 'sha256', encoding, prefix } as const;
}
