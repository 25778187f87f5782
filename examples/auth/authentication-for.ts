import type { SystemRequest } from '../answer.js';
import type { AuthRule } from './auth-rule.js';
import type { Admission, Authentication } from './authentication.js';
import { csrfSession } from './csrf-session.js';
import { basicMatches, bearerToken, signatureMatches } from './credentials.js';
import { oauthTokens } from './oauth-tokens.js';
import { sessionCookie } from './session-cookie.js';
import type { Tickets } from './tickets.js';

/** What a rule demands. Tokens and sessions are `tickets`, which can be counted and revoked from outside. */
export function authenticationFor(rule: AuthRule, tickets: Tickets): Authentication {
  switch (rule.scheme) {
    case 'none':
    case 'body':
      return standing(() => true);
    case 'bearer':
      return standing((request) => bearerToken(request) === rule.token, 'Bearer');
    case 'basic':
      return standing((request) => basicMatches(request, rule), 'Basic realm="sample"');
    case 'hmac':
      return standing((request) => signatureMatches(request, rule));
    case 'session':
      return sessionCookie(rule, tickets);
    case 'csrf':
      return csrfSession(rule, tickets);
    case 'oauth2-client-credentials':
      return oauthTokens(rule, tickets);
  }
}

/** Credentials that stand in each request; nothing has to be fetched first. */
function standing(holds: (request: SystemRequest) => boolean, challenge?: string): Authentication {
  const refused: Admission = {
    kind: 'refused',
    ...(challenge === undefined ? {} : { headers: { 'www-authenticate': challenge } }),
  };
  return {
    logIn: () => undefined,
    admit: (request) => (holds(request) ? { kind: 'admitted' } : refused),
  };
}
