import { describe, expect, test } from '@jest/globals';
import { contractFrom } from '../../../test/support/contract-from.js';
import { KnownSecrets } from './known-secrets.js';

const SIGNED_WITH = Buffer.from('the-crm-signs-with-these-bytes-ÿ?');
const VARIABLES = {
  SIGNING: `whsec_${SIGNED_WITH.toString('base64')}`,
  HMAC: 'quo"ted\\back',
  VIEWER: '12345678901234',
  OPERATOR: 'a/slash~in-it',
};
const CONTRACT = contractFrom(
  `
systems:
  crm:
    ingest:
      auth:
        - { scheme: standard-webhooks, secrets: ['\${SIGNING}'] }
        - { scheme: hmac, header: x-signed, signed: '{body}', secrets: ['\${HMAC}'] }
entities: { customer: { order_by: version } }
events: { customer.updated: { entity: customer, strategy: overwrite } }
access:
  - { name: eve, role: viewer, key: '\${VIEWER}' }
  - { name: oscar, role: operator, key: '\${OPERATOR}' }
`,
  VARIABLES,
);

describe('secrets that are struck out', () => {
  const known = new KnownSecrets(CONTRACT, CONTRACT.accessKeys);
  const padded = SIGNED_WITH.toString('base64');

  test.each([
    ['with quotes and backslashes', VARIABLES.HMAC],
    ['of digits', VARIABLES.VIEWER],
    ['in base64 with its padding', padded],
    ['in base64 without', padded.replace(/=+$/, '')],
    ['as bytes', SIGNED_WITH.toString('utf8')],
    ['in a JSON pointer', 'a~1slash~0in-it'],
  ])('%s are found in text, in the strings of JSON and in its names', (_what, secret) => {
    expect(known.strikeOut(`a ${secret} b`)).toBe('a *** b');
    const text = JSON.stringify({ [secret]: [`a ${secret} b`], '***': 1, [`${secret}x`]: 2 });
    const struck = known.strikeOutOfJson(text);
    expect(JSON.parse(struck)).toEqual(expect.objectContaining({ '***': 1, '***x': 2 }));
    expect(struck).toContain('"****":["a *** b"]');
  });

  test('numbers keep their digits, and the text is JSON whatever stands in it', () => {
    const text = '{"n":12345678901234,"m":[1.12345678901234e5,9007199254740993]}';
    expect(known.strikeOutOfJson(text)).toBe(text);
  });
});
