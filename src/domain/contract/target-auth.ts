import type { AnswerMatch } from './answer-match.js';
import type { CallTemplate } from './call-template.js';
import type { SignedPart } from './signed-part.js';
import type { TargetCall } from './target-call.js';
import type { Template } from './template.js';

/** How the hub proves itself to a system. */
export type TargetAuth = PlainAuth | Login;

/** What can be shown without a session; a login is shown one of these. */
export type PlainAuth =
  | { readonly scheme: 'none' }
  | { readonly scheme: 'bearer'; readonly token: string }
  /** HTTP Basic (RFC 7617). */
  | { readonly scheme: 'basic'; readonly user: string; readonly password: string }
  | CallSignature
  | ClientCredentials;

/** A keyed hash over each call. */
export interface CallSignature {
  readonly scheme: 'hmac';
  /** As written. */
  readonly header: string;
  readonly algorithm: 'sha1' | 'sha256' | 'sha512';
  readonly encoding: 'hex' | 'base64';
  /** What stands in front of the signature, such as `sha256=`. */
  readonly prefix: string;
  readonly signed: readonly CallSignedPart[];
  readonly timestamp?: { readonly header: string; readonly format: 'unix' | 'unix_ms' | 'rfc3339' };
  readonly key: Uint8Array;
}

/** Bodies that we send are JSON, so there is no form to sort. */
export type CallSignedPart = Exclude<SignedPart, { readonly kind: 'form_sorted' }>;

/** OAuth 2.0 client credentials (RFC 6749, 4.4). */
export interface ClientCredentials {
  readonly scheme: 'oauth2-client-credentials';
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
  readonly audience?: string;
  /** Where id and secret stand: HTTP Basic, which every server must take (RFC 6749, 2.3.1), or the form. */
  readonly credentialsIn: 'header' | 'body';
}

/** A session: one call opens it, all others show what came of that. */
export interface Login {
  readonly scheme: 'login';
  /** Shown when logging in, and with every call after that. */
  readonly with: PlainAuth;
  readonly login: TargetCall;
  /** What is kept of the answer, by name. */
  readonly take: ReadonlyMap<string, Template>;
  /** Whether its cookies are kept and sent with every call. */
  readonly keepsCookies: boolean;
  /** Headers of every call, made of what was taken. */
  readonly send: ReadonlyMap<string, CallTemplate>;
  /** Answers that mean that the session is over. A 401 always does. */
  readonly renewWhen?: AnswerMatch;
}
