import { json, type Answer, type SystemRequest } from '../answer.js';
import type { OauthRule } from './auth-rule.js';
import type { Authentication } from './authentication.js';
import { basicCredentials, bearerToken } from './credentials.js';
import type { Tickets } from './tickets.js';

/** The token endpoint of RFC 6749, 4.4, with the client's credentials in the form or as Basic, and its bearer tokens. */
export function oauthTokens(rule: OauthRule, tickets: Tickets): Authentication {
  return {
    logIn(request) {
      if (request.method !== 'POST' || request.url.pathname !== rule.token_path) return undefined;
      const form = new URLSearchParams(request.body);
      if (form.get('grant_type') !== 'client_credentials') return json(400, { error: 'unsupported_grant_type' });
      if (!knows(rule, request, form)) return json(401, { error: 'invalid_client' });
      return token(rule, request, tickets.issue(rule.lives_ms));
    },
    admit: (request) =>
      tickets.isGood(bearerToken(request))
        ? { kind: 'admitted' }
        : { kind: 'refused', headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
  };
}

function knows(rule: OauthRule, request: SystemRequest, form: URLSearchParams): boolean {
  const basic = basicCredentials(request);
  const id = basic?.user ?? form.get('client_id');
  const secret = basic?.password ?? form.get('client_secret');
  return id === rule.client_id && secret === rule.client_secret;
}

function token(rule: OauthRule, request: SystemRequest, ticket: string): Answer {
  return json(
    200,
    {
      access_token: ticket,
      token_type: 'Bearer',
      instance_url: `http://${request.headers.host ?? ''}`,
      ...(rule.claims_s === undefined ? {} : { expires_in: rule.claims_s }),
    },
    { 'cache-control': 'no-store' },
  );
}
