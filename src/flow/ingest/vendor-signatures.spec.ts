import { describe, expect, test } from '@jest/globals';
import { sign as signAsGithub } from '@octokit/webhooks-methods';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { createHmac } from 'node:crypto';
import '@shopify/shopify-api/adapters/node';
import { ApiVersion, LogSeverity, shopifyApi } from '@shopify/shopify-api';
import type { SignatureAuth } from '../../domain/contract/contract.js';
import { contractFrom, named } from '../../../test/support/contract-from.js';
import { incoming, type Sent } from '../../../test/support/incoming.js';
import { isSigned } from './verify-signature.js';

const NOW = new Date('2025-01-01T12:00:00Z');
const SECONDS = NOW.getTime() / 1000;
/** Spellings that a parser would change: escapes, an emoji, a number's scale, blanks, a line's end (C59). */
const BODIES = ['{"id":1}', '{"a":"\\u001B"}', '{"a":"😀"}', '{"n":1.0}', '{ "a" : [ ] }\n', '', '\uFEFF{}'];

/** What the contract makes of `auth`; `${CURRENT}` and `${FORMER}` are its secrets. */
function schemes(auth: string, secrets: Readonly<Record<string, string>>): readonly SignatureAuth[] {
  const contract = contractFrom(
    `
systems: { shop: { ingest: { auth: ${auth} } } }
entities: { customer: { order_by: version } }
events: { customer.updated: { entity: customer, strategy: overwrite } }
`,
    secrets,
  );
  const read = named(contract.systems, 'shop').ingest?.auth ?? [];
  return read.flatMap((one) => (one.scheme === 'signature' ? one : []));
}

function isAccepted(auth: readonly SignatureAuth[], sent: Sent, publicUrl?: string): boolean {
  const request = incoming(sent);
  return auth.some((one) => isSigned(request, one, { nowMs: NOW.getTime(), publicUrl }));
}

interface Vendor {
  readonly scheme: string;
  /** Signs as the vendor's own package does. */
  readonly sign: (body: string, secret: string) => Promise<Readonly<Record<string, string>>>;
  readonly secretOf: (name: string) => string;
}

const plain = (name: string): string => `secret of ${name}`;
const whsec = (name: string): string => `whsec_${Buffer.from(name.padEnd(32, '.')).toString('base64')}`;

const VENDORS: readonly Vendor[] = [
  {
    scheme: 'stripe',
    secretOf: plain,
    sign: (payload, secret) => {
      const header = new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret, timestamp: SECONDS });
      return Promise.resolve({ 'stripe-signature': header });
    },
  },
  {
    scheme: 'github',
    secretOf: plain,
    // Its package signs no empty body; GitHub sends none.
    sign: async (body, secret) => ({
      'x-hub-signature-256':
        body === '' ? `sha256=${createHmac('sha256', secret).digest('hex')}` : await signAsGithub(secret, body),
    }),
  },
  {
    scheme: 'svix',
    secretOf: whsec,
    sign: (body, secret) =>
      Promise.resolve({
        'svix-id': 'msg_1',
        'svix-timestamp': String(SECONDS),
        'svix-signature': new SvixWebhook(secret).sign('msg_1', NOW, body),
      }),
  },
  {
    scheme: 'shopify',
    secretOf: plain,
    // Shopify's package only verifies; that it accepts what is made here is asserted below.
    sign: (body, secret) =>
      Promise.resolve({ 'x-shopify-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64') }),
  },
];

describe.each(VENDORS)('a webhook of $scheme', ({ scheme, sign, secretOf }) => {
  const secrets = { CURRENT: secretOf('current'), FORMER: secretOf('former') };
  const auth = schemes(`{ scheme: ${scheme}, secrets: ['\${CURRENT}', '\${FORMER}'] }`, secrets);

  test.each(BODIES)('%j is accepted under either secret, and under no other', async (body) => {
    expect(isAccepted(auth, { headers: await sign(body, secrets.CURRENT), body })).toBe(true);
    expect(isAccepted(auth, { headers: await sign(body, secrets.FORMER), body })).toBe(true);
    expect(isAccepted(auth, { headers: await sign(body, secretOf('stranger')), body })).toBe(false);
  });

  test('is refused when a blank was added to it', async () => {
    expect(isAccepted(auth, { headers: await sign('{}', secrets.CURRENT), body: '{ }' })).toBe(false);
  });

  test('is refused with any of its headers missing, empty, twice or malformed, and never with an error', async () => {
    const good = await sign('{}', secrets.CURRENT);
    const malformed = ['', ' ', 'x', '=', ',', 'sha256=', 'v1,', 't=,v1=', 'é'.repeat(64), 'a'.repeat(10_000), '\0'];
    for (const [name, value] of Object.entries(good)) {
      for (const bad of [undefined, [value, value], value.slice(0, -4), `${value}ab`, ...malformed]) {
        expect(isAccepted(auth, { headers: { ...good, [name]: bad }, body: '{}' })).toBe(false);
      }
    }
  });
});

describe('a time stamp that is signed', () => {
  const secrets = { CURRENT: plain('current') };
  const auth = schemes(`{ scheme: stripe, secrets: ['\${CURRENT}'], tolerance: 5m }`, secrets);
  const signedAt = (timestamp: number): Sent => ({
    headers: {
      'stripe-signature': new Stripe('sk_test_x').webhooks.generateTestHeaderString({
        payload: '{}',
        secret: secrets.CURRENT,
        timestamp,
      }),
    },
    body: '{}',
  });

  test.each([
    [300, true],
    [301, false],
    [-300, true],
    [-301, false],
  ])('%d seconds ago: %s', (age, isGood) => {
    expect(isAccepted(auth, signedAt(SECONDS - age))).toBe(isGood);
  });

  test('several signatures may stand beside it, of which one good one is enough', () => {
    const [, good = ''] = String(signedAt(SECONDS).headers['stripe-signature']).split(',');
    const header = `t=${String(SECONDS)},v1=${'0'.repeat(64)},${good},v0=${'1'.repeat(64)}`;
    expect(isAccepted(auth, { headers: { 'stripe-signature': header }, body: '{}' })).toBe(true);
  });
});

test('Shopify’s own package accepts what its scheme is tested with', async () => {
  const shopify = shopifyApi({
    apiKey: 'k',
    apiSecretKey: plain('current'),
    apiVersion: ApiVersion.January25,
    isEmbeddedApp: false,
    hostName: 'hub.example.com',
    logger: { level: LogSeverity.Error },
  });
  const body = '{"id":1}';
  const headers = await VENDORS.find(({ scheme }) => scheme === 'shopify')?.sign(body, plain('current'));
  const rawRequest = {
    method: 'POST',
    url: '/v1/webhooks/shop',
    headers: {
      ...headers,
      'X-Shopify-Topic': 'orders/create',
      'X-Shopify-Shop-Domain': 'shop.myshopify.com',
      'X-Shopify-API-Version': '2025-01',
      'X-Shopify-Webhook-Id': '1',
    },
  };
  const validation = await shopify.webhooks.validate({ rawBody: body, rawRequest });
  expect(validation).toMatchObject({ valid: true });
});

describe('a scheme that nobody listed is written down in the contract', () => {
  const KEY = plain('current');
  const hmac = (algorithm: string, ...parts: readonly string[]) => createHmac(algorithm, KEY).update(parts.join(''));
  const accepts = (auth: string, sent: Sent, publicUrl?: string): boolean =>
    isAccepted(schemes(auth, { CURRENT: KEY }), sent, publicUrl);

  test('method, URL, body and a time in milliseconds, as HubSpot signs', () => {
    const auth = `{ scheme: hmac, header: X-HubSpot-Signature-v3, algorithm: sha256, encoding: base64, signed: '{method}{url}{body}{timestamp}', timestamp: { header: X-HubSpot-Request-Timestamp, format: unix_ms }, tolerance: 5m, secrets: ['\${CURRENT}'] }`;
    const publicUrl = 'https://hub.example.com/v1/webhooks/crm';
    const time = String(NOW.getTime());
    const signature = hmac('sha256', 'POST', `${publicUrl}?a=1`, '[]', time).digest('base64');
    const headers = { 'x-hubspot-signature-v3': signature, 'x-hubspot-request-timestamp': time };
    const sent = { headers, body: '[]', url: '/v1/webhooks/crm?a=1' };
    expect(accepts(auth, sent, publicUrl)).toBe(true);
    expect(accepts(auth, { ...sent, url: '/v1/webhooks/crm?a=2' }, publicUrl)).toBe(false);
    expect(accepts(auth, { ...sent, method: 'PUT' }, publicUrl)).toBe(false);
    const late = { ...headers, 'x-hubspot-request-timestamp': String(NOW.getTime() - 300_001) };
    expect(accepts(auth, { ...sent, headers: late }, publicUrl)).toBe(false);
  });

  test('URL and sorted fields of a form, as Twilio signs', () => {
    const auth = `{ scheme: hmac, header: X-Twilio-Signature, algorithm: sha1, encoding: base64, signed: '{url}{form_sorted}', secrets: ['\${CURRENT}'] }`;
    const signature = hmac('sha1', 'http://hub.example.com/v1/webhooks/shop', 'BodyHi thereFrom+49 1').digest('base64');
    const headers = { 'x-twilio-signature': signature, host: 'hub.example.com' };
    expect(accepts(auth, { headers, body: 'From=%2B49+1&Body=Hi+there' })).toBe(true);
    expect(accepts(auth, { headers, body: 'From=%2B49+1&Body=Hi+there!' })).toBe(false);
  });

  test('another header, a time in RFC 3339 and SHA-512', () => {
    const auth = `{ scheme: hmac, header: X-Sig, algorithm: sha512, prefix: 'sig=', signed: '{header/X-Id}:{timestamp}:{body}', timestamp: { header: X-Time, format: rfc3339 }, secrets: ['\${CURRENT}'] }`;
    const time = '2025-01-01T20:00:00+08:00';
    const signature = hmac('sha512', `7:${time}:{}`).digest('hex').toUpperCase();
    const headers = { 'x-sig': `sig=${signature}`, 'x-id': '7', 'x-time': time };
    expect(accepts(auth, { headers, body: '{}' })).toBe(true);
    expect(accepts(auth, { headers: { ...headers, 'x-id': undefined }, body: '{}' })).toBe(false);
    expect(accepts(auth, { headers: { ...headers, 'x-time': 'noon' }, body: '{}' })).toBe(false);
  });
});
