import { json, type Answer, type SystemRequest } from '../answer.js';
import { isObjectText, membersOf, scalarOf } from '../json-text.js';
import type { SessionRule } from './auth-rule.js';
import type { Authentication } from './authentication.js';
import { cookieOf } from './credentials.js';
import type { Tickets } from './tickets.js';

const COOKIE = 'session';

/** `POST /login` with `{"user": …, "password": …}`; afterwards the cookie `session` says who calls. */
export function sessionCookie(rule: SessionRule, tickets: Tickets): Authentication {
  return {
    logIn(request) {
      if (request.method !== 'POST' || request.url.pathname !== '/login') return undefined;
      return knows(rule, request)
        ? opened(tickets.issue(rule.lives_ms))
        : json(401, { error: 'wrong user or password' });
    },
    admit: (request) => (tickets.isGood(cookieOf(request, COOKIE)) ? { kind: 'admitted' } : { kind: 'refused' }),
  };
}

function knows(rule: SessionRule, request: SystemRequest): boolean {
  if (!isObjectText(request.body)) return false;
  const given = membersOf(request.body);
  return scalarOf(given.get('user')) === rule.user && scalarOf(given.get('password')) === rule.password;
}

/** Two cookies, as behind most balancers: whoever keeps only the first header loses the session. */
function opened(ticket: string): Answer {
  const cookies = ['route=node-1; Path=/', `${COOKIE}=${ticket}; Path=/; HttpOnly`];
  return json(200, { logged_in: true }, { 'set-cookie': cookies });
}
