import { signWebhook } from '../../../examples/sign-webhook.js';
import type { Answer } from '../../support/crosswalk-client.js';
import type { CrosswalkClient } from '../../support/crosswalk-client.js';
import { CREDENTIALS } from '../../support/installation.js';

export const CASES_CONTRACT = 'test/e2e/public-cases/public-cases.crosswalk.yaml';

/** The key that each connection of the public cases shows. */
export const KEYS = {
  'shop-a': { 'x-api-key': CREDENTIALS.CRM_API_KEY },
  'pay-a': { 'x-api-key': CREDENTIALS.WMS_API_KEY },
  'crm-a': { authorization: `Basic ${Buffer.from(`crm-a:${CREDENTIALS.CRM_API_KEY}`).toString('base64')}` },
  'erp-a': { 'x-api-key': CREDENTIALS.ERP_API_KEY },
} as const;

/** Sends a body of a case to the webhook of its connection, as it stands. */
export function send(client: CrosswalkClient, connection: keyof typeof KEYS, body: string): Promise<Answer> {
  return client.sendWebhook(connection, body, KEYS[connection]);
}

/** The same for the connection that signs; `sent` is what arrives where that differs from what was signed. */
export function sendSigned(client: CrosswalkClient, body: string, sent = body): Promise<Answer> {
  return client.sendWebhook('gh-a', sent, signWebhook(CREDENTIALS.CRM_WEBHOOK_SECRET, body, new Date()));
}

export function sendSignedForm(client: CrosswalkClient, form: string): Promise<Answer> {
  const signature = signWebhook(CREDENTIALS.CRM_WEBHOOK_SECRET, form, new Date());
  return client.sendWebhook('gh-a', form, { ...signature, 'content-type': 'application/x-www-form-urlencoded' });
}
