import { createHmac, randomUUID } from 'node:crypto';

/**
 * The headers of one sending by Standard Webhooks (https://www.standardwebhooks.com): a signature over message id, time
 * and the exact bytes of the body. Each sending has a message id of its own, also when it repeats a former one, because
 * that is what senders do; so the hub must know a repetition by its business key.
 *
 * @param secret `whsec_` and the key in base64.
 */
export function signWebhook(secret: string, body: string, sentAt: Date): Record<string, string> {
  const id = `msg_${randomUUID()}`;
  const timestamp = Math.floor(sentAt.getTime() / 1000);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` };
}
