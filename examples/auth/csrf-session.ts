import { headerOf, type Answer, type SystemRequest } from '../answer.js';
import type { CsrfRule } from './auth-rule.js';
import type { Admission, Authentication } from './authentication.js';
import { basicMatches, cookieOf } from './credentials.js';
import type { Tickets } from './tickets.js';

const COOKIE = 'SAP_SESSIONID_S4H_100';
const HEADER = 'x-csrf-token';

/** The answer of SAP Gateway to a write without the token and the cookie of one session (SAP KBA 3048103). */
const REQUIRED: Answer = {
  status: 403,
  body: 'CSRF token validation failed',
  headers: { [HEADER]: 'Required', 'content-type': 'text/plain; charset=utf-8' },
};

/**
 * Any read with `X-CSRF-Token: Fetch` answers a token and sets cookies; a write needs both. Reads pass with Basic or
 * with the cookie of a session. Here cookie and token are made of one ticket, so that they end together.
 */
export function csrfSession(rule: CsrfRule, tickets: Tickets): Authentication {
  const admit = (request: SystemRequest): Admission => {
    const session = cookieOf(request, COOKIE);
    const isInSession = tickets.isGood(session);
    if (!isInSession && !basicMatches(request, rule)) {
      return { kind: 'refused', headers: { 'www-authenticate': 'Basic realm="SAP NetWeaver Application Server"' } };
    }
    const token = headerOf(request.headers, HEADER);
    if (request.method === 'GET' || request.method === 'HEAD') {
      if (token?.toLowerCase() !== 'fetch') return { kind: 'admitted' };
      return begun(isInSession && session !== undefined ? session : tickets.issue(rule.lives_ms));
    }
    const isToken = isInSession && session !== undefined && token === tokenOf(session);
    return isToken ? { kind: 'admitted' } : { kind: 'refused', answer: REQUIRED };
  };
  return { logIn: () => undefined, admit };
}

function begun(ticket: string): Admission {
  const cookies = ['sap-usercontext=sap-client=100; path=/', `${COOKIE}=${ticket}; path=/; HttpOnly`];
  return { kind: 'admitted', headers: { [HEADER]: tokenOf(ticket), 'set-cookie': cookies } };
}

function tokenOf(ticket: string): string {
  return Buffer.from(`csrf-${ticket}`).toString('base64');
}
