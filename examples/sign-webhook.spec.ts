import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { signWebhook } from './sign-webhook.js';

const SECRET = `whsec_${Buffer.from('a key that only tests know').toString('base64')}`;

test('the reference library accepts what we sign, and refuses it with another body', () => {
  const body = '{"customer_id":"Ü-1","amount":1299.00}';
  const headers = signWebhook(SECRET, body, new Date());
  expect(() => new Webhook(SECRET).verify(body, headers)).not.toThrow();
  expect(() => new Webhook(SECRET).verify(body.replace('.00', ''), headers)).toThrow();
});

test('every sending has a message id of its own', () => {
  const sentAt = new Date();
  expect(signWebhook(SECRET, '{}', sentAt)['webhook-id']).not.toBe(signWebhook(SECRET, '{}', sentAt)['webhook-id']);
});
