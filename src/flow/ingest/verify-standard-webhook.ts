import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const SECRET_PREFIX = 'whsec_';
const SCHEME = 'v1,';

/**
 * Whether one of the secrets signed these very bytes (Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`, in
 * base64; several signatures stand in one header, separated by blanks). Everything about the headers is hostile until
 * this returns true; nothing in them can make it throw.
 *
 * @param toleranceSeconds how far the time stamp may be from now, either way
 */
export function verifyStandardWebhook(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secrets: readonly string[],
  { toleranceSeconds, nowMs }: { readonly toleranceSeconds: number; readonly nowMs: number },
): boolean {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const shown = signatures
    .split(' ')
    .filter((signature) => signature.startsWith(SCHEME))
    .map((signature) => Buffer.from(signature.slice(SCHEME.length), 'base64'));
  return secrets.some((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
    return shown.some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
  });
}
