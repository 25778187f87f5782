import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { contractFrom, named } from '../../../test/support/contract-from.js';
import { incoming } from '../../../test/support/incoming.js';
import type { SignatureAuth } from '../../domain/contract/contract.js';
import { isSigned } from './verify-signature.js';

const secretOf = (name: string): string => `whsec_${Buffer.from(name.padEnd(32, '.')).toString('base64')}`;
const SECRET = secretOf('current');
const OLD_SECRET = secretOf('former');
const STRANGER = secretOf('a stranger’s');

/** What the contract makes of a scheme and its secrets. */
function authOf(scheme: string, secrets: readonly string[]): readonly SignatureAuth[] {
  const variables = Object.fromEntries(secrets.map((secret, at) => [`S${String(at)}`, secret]));
  const names = Object.keys(variables).map((name) => `'\${${name}}'`);
  const contract = contractFrom(
    `
systems: { shop: { ingest: { auth: { scheme: ${scheme}, secrets: [${names.join(', ')}] } } } }
entities: { customer: { order_by: version } }
events: { customer.updated: { entity: customer, strategy: overwrite } }
`,
    variables,
  );
  const auth = named(contract.systems, 'shop').ingest?.auth ?? [];
  return auth.flatMap((one) => (one.scheme === 'signature' ? one : []));
}

const SIGNED_AT = new Date('2025-01-01T12:00:00Z');
const ID = 'msg_1';
const BODY = '{"customer_id":"Ü-1","amount":1299.00}';

/** Headers as the reference library signs them. */
function signed(
  secret = SECRET,
  { body = BODY, signedAt = SIGNED_AT }: { readonly body?: string | Buffer; readonly signedAt?: Date } = {},
): IncomingHttpHeaders {
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(ID, signedAt, body),
  };
}

function isVerified(
  headers: IncomingHttpHeaders,
  {
    body = BODY,
    secrets = [SECRET],
    nowMs = SIGNED_AT.getTime(),
  }: { readonly body?: string | Buffer; readonly secrets?: readonly string[]; readonly nowMs?: number } = {},
): boolean {
  const request = incoming({ headers, body });
  return authOf('standard-webhooks', secrets).some((auth) => isSigned(request, auth, { nowMs, publicUrl: undefined }));
}

describe('a webhook that the reference library signed', () => {
  test('is verified', () => {
    expect(isVerified(signed())).toBe(true);
  });

  test('is verified whatever it says and whatever the key is', () => {
    const key = fc.uint8Array({ minLength: 24, maxLength: 64 });
    fc.assert(
      fc.property(key, fc.string({ unit: 'binary' }), (bytes, body) => {
        const secret = `whsec_${Buffer.from(bytes).toString('base64')}`;
        expect(isVerified(signed(secret, { body }), { secrets: [secret], body })).toBe(true);
      }),
    );
  });

  test('is verified by any of the secrets, so that one can be changed without a gap', () => {
    for (const secrets of [
      [SECRET, OLD_SECRET],
      [OLD_SECRET, SECRET],
    ]) {
      expect(isVerified(signed(SECRET), { secrets })).toBe(true);
      expect(isVerified(signed(OLD_SECRET), { secrets })).toBe(true);
      expect(isVerified(signed(STRANGER), { secrets })).toBe(false);
    }
  });

  test('is verified by any of its signatures, among them unknown schemes', () => {
    const good = String(signed()['webhook-signature']);
    const bad = String(signed(STRANGER)['webhook-signature']);
    const withSignatures = (...signatures: readonly string[]): IncomingHttpHeaders => ({
      ...signed(),
      'webhook-signature': signatures.join(' '),
    });
    expect(isVerified(withSignatures(bad, good))).toBe(true);
    expect(isVerified(withSignatures('v1a,AAAA', good, bad))).toBe(true);
    expect(isVerified(withSignatures(bad, 'v1a,AAAA'))).toBe(false);
    // The same bytes under another scheme prove nothing.
    expect(isVerified(withSignatures(good.replace('v1,', 'v1a,')))).toBe(false);
    expect(isVerified(withSignatures(good.replace('v1,', 'v2,')))).toBe(false);
    expect(isVerified(withSignatures(good.replace('v1,', '')))).toBe(false);
  });
});

describe('a webhook is refused when something was altered', () => {
  test('one bit of its body', () => {
    fc.assert(
      fc.property(fc.nat(Buffer.byteLength(BODY) - 1), fc.nat(7), (at, bit) => {
        const bytes = Buffer.from(BODY);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        expect(isVerified(signed(), { body: bytes })).toBe(false);
      }),
    );
  });

  test.each([
    ['a number printed differently', BODY.replace('1299.00', '1299')],
    ['a blank more', `${BODY} `],
    ['a byte-order mark before it', `\uFEFF${BODY}`],
    ['nothing of it left', ''],
  ])('its body: %s', (_what, body) => {
    expect(isVerified(signed(), { body })).toBe(false);
  });

  test('its id or its time', () => {
    expect(isVerified({ ...signed(), 'webhook-id': 'msg_2' })).toBe(false);
    const later = String(SIGNED_AT.getTime() / 1000 + 1);
    expect(isVerified({ ...signed(), 'webhook-timestamp': later })).toBe(false);
  });

  test('any byte of its signature', () => {
    const [scheme = '', encoded = ''] = String(signed()['webhook-signature']).split(',');
    const length = Buffer.from(encoded, 'base64').length;
    for (let at = 0; at < length; at++) {
      const bytes = Buffer.from(encoded, 'base64');
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      const forged = { ...signed(), 'webhook-signature': `${scheme},${bytes.toString('base64')}` };
      expect(isVerified(forged)).toBe(false);
    }
  });
});

describe('the time of signing may differ from ours', () => {
  test.each([
    ['now', 0, true],
    ['as long ago as is tolerated', 300, true],
    ['longer ago', 301, false],
    ['as far ahead as is tolerated', -300, true],
    ['further ahead', -301, false],
    ['a day ago', 86_400, false],
    ['in another epoch', 1_000_000_000, false],
  ])('%s', (_what, ageSeconds, isAccepted) => {
    expect(isVerified(signed(), { nowMs: SIGNED_AT.getTime() + ageSeconds * 1000 })).toBe(isAccepted);
  });

  test.each([
    '',
    ' ',
    '0',
    '-1',
    '1735732800.5',
    '1735732800 ',
    '1.7357328e9',
    '0x677522C0',
    'NaN',
    'Infinity',
    '1735732800000',
    '01735732800',
    '９',
    '1'.repeat(400),
  ])('but is written in seconds: %j', (timestamp) => {
    // Signed correctly, so that only the reading of the time can refuse it.
    const key = SECRET.slice('whsec_'.length);
    const signature = signatureOver(`${ID}.${timestamp}.${BODY}`, key);
    const headers = { 'webhook-id': ID, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    expect(isVerified(headers)).toBe(false);
  });
});

function signatureOver(text: string, key: string): string {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');
}

describe('malformed headers are refused and never an error', () => {
  const good = signed();
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

  test.each(names)('without %s', (name) => {
    expect(isVerified({ ...good, [name]: undefined })).toBe(false);
    expect(isVerified({ ...good, [name]: '' })).toBe(false);
  });

  test.each(names)('with %s sent twice', (name) => {
    const value = String(good[name]);
    expect(isVerified({ ...good, [name]: [value, value] })).toBe(false);
  });

  test('with id or time sent twice and joined on the way; of several signatures one good one is enough', () => {
    for (const name of names) {
      const value = String(good[name]);
      expect(isVerified({ ...good, [name]: `${value}, ${value}` })).toBe(name === 'webhook-signature');
    }
  });

  test.each([
    ['a scheme alone', 'v1'],
    ['a scheme and nothing', 'v1,'],
    ['too few characters', 'v1,AAAA'],
    ['one byte too few', `v1,${Buffer.alloc(31).toString('base64')}`],
    ['one byte too many', `v1,${Buffer.alloc(33).toString('base64')}`],
    ['hexadecimal digits', `v1,${'ab'.repeat(32)}`],
    ['letters of several bytes', `v1,${'é'.repeat(44)}`],
    ['ten thousand characters', `v1,${'x'.repeat(10_000)}`],
    ['ten thousand signatures', 'v1,AAAA '.repeat(1_250)],
    ['blanks', ' '.repeat(100)],
    ['NUL', 'v1,\u0000'],
    ['another separator', String(good['webhook-signature']).replace(',', '=')],
  ])('with %s for a signature', (_what, signature) => {
    expect(isVerified({ ...good, 'webhook-signature': signature })).toBe(false);
  });

  test('with anything at all', () => {
    const header = fc.oneof(fc.constant(undefined), fc.string({ unit: 'binary' }), fc.array(fc.string()));
    fc.assert(
      fc.property(header, header, header, fc.uint8Array(), (id, timestamp, signature, body) => {
        const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
        expect(isVerified(headers as IncomingHttpHeaders, { body: Buffer.from(body) })).toBe(false);
      }),
    );
  });
});
