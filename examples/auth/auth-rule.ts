/** How a system wants to know who calls. The secrets here are for tests; nothing hides them. */
export type AuthRule =
  | { readonly scheme: 'none' }
  | { readonly scheme: 'bearer'; readonly token: string }
  | { readonly scheme: 'basic'; readonly user: string; readonly password: string }
  | HmacRule
  | SessionRule
  | CsrfRule
  | OauthRule
  | BodyRule;

/** A signature over the bytes of the body, empty ones too. */
export interface HmacRule {
  readonly scheme: 'hmac';
  readonly header: string;
  readonly secret: string;
  readonly algorithm?: 'sha1' | 'sha256' | 'sha512';
  readonly encoding?: 'hex' | 'base64';
  readonly prefix?: string;
}

/** `POST /login` with `{user, password}` gives a cookie. */
export interface SessionRule extends Lifetime {
  readonly scheme: 'session';
  readonly user: string;
  readonly password: string;
}

/** Basic, and for each write the token and the cookies of a session that `X-CSRF-Token: Fetch` began. */
export interface CsrfRule extends Lifetime {
  readonly scheme: 'csrf';
  readonly user: string;
  readonly password: string;
}

/** `POST {token_path}` as a form gives a bearer token (RFC 6749, 4.4). */
export interface OauthRule extends Lifetime {
  readonly scheme: 'oauth2-client-credentials';
  readonly token_path: string;
  readonly client_id: string;
  readonly client_secret: string;
  /** What the answer claims in `expires_in`, in seconds; absent where the system says nothing. */
  readonly claims_s?: number;
}

/** The credentials stand in each body, and the dialect looks at them itself. */
export interface BodyRule {
  readonly scheme: 'body';
  readonly db: string;
  readonly uid: number;
  readonly user: string;
  readonly password: string;
}

interface Lifetime {
  /** How long a session or token is good; for ever where it is absent. */
  readonly lives_ms?: number;
}

const MEMBERS: Record<
  AuthRule['scheme'],
  { readonly required: readonly string[]; readonly optional: readonly string[] }
> = {
  none: { required: [], optional: [] },
  bearer: { required: ['token'], optional: [] },
  basic: { required: ['user', 'password'], optional: [] },
  hmac: { required: ['header', 'secret'], optional: ['algorithm', 'encoding', 'prefix'] },
  session: { required: ['user', 'password'], optional: ['lives_ms'] },
  csrf: { required: ['user', 'password'], optional: ['lives_ms'] },
  'oauth2-client-credentials': {
    required: ['token_path', 'client_id', 'client_secret'],
    optional: ['lives_ms', 'claims_s'],
  },
  body: { required: ['db', 'uid', 'user', 'password'], optional: [] },
};
const NUMBERS = ['lives_ms', 'claims_s', 'uid'];

/** Says what keeps a value from being a rule; undefined where nothing does. */
export function problemOfAuthRule(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'must be an object';
  const given = new Map<string, unknown>(Object.entries(value));
  const members = Object.entries(MEMBERS).find(([scheme]) => scheme === given.get('scheme'))?.[1];
  if (members === undefined) return `scheme must be one of ${Object.keys(MEMBERS).join(', ')}`;
  const missing = members.required.find((name) => !given.has(name));
  if (missing !== undefined) return `${missing} is missing`;
  for (const [name, member] of given) {
    const known = name === 'scheme' || members.required.includes(name) || members.optional.includes(name);
    if (!known) return `${name} is not known here`;
    if (typeof member !== (NUMBERS.includes(name) ? 'number' : 'string')) return `${name} has the wrong type`;
  }
  return undefined;
}
