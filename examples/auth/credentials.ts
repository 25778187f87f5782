import { createHmac } from 'node:crypto';
import { headerOf, type SystemRequest } from '../answer.js';
import type { HmacRule } from './auth-rule.js';

export function bearerToken(request: SystemRequest): string | undefined {
  return /^Bearer (\S+)$/i.exec(headerOf(request.headers, 'authorization') ?? '')?.[1];
}

export interface UserAndPassword {
  readonly user: string;
  readonly password: string;
}

/** Undefined where the request carries no Basic credentials. */
export function basicCredentials(request: SystemRequest): UserAndPassword | undefined {
  const encoded = /^Basic (\S+)$/i.exec(headerOf(request.headers, 'authorization') ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

export function basicMatches(request: SystemRequest, { user, password }: UserAndPassword): boolean {
  const given = basicCredentials(request);
  return given?.user === user && given.password === password;
}

export function signatureMatches(request: SystemRequest, rule: HmacRule): boolean {
  const signature = createHmac(rule.algorithm ?? 'sha256', rule.secret)
    .update(request.body)
    .digest(rule.encoding ?? 'hex');
  return headerOf(request.headers, rule.header.toLowerCase()) === `${rule.prefix ?? ''}${signature}`;
}

/** The value of one cookie of the request. */
export function cookieOf(request: SystemRequest, name: string): string | undefined {
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}
