import { problemOfAuthRule, type AuthRule } from './auth/auth-rule.js';
import type { RateLimit } from './rate-limit.js';
import { RETRY_AFTER_STYLES } from './retry-after.js';
import type { WebhookSetting } from './webhooks.js';

/** What a system is like. Each dialect brings what its vendor does; a start or `POST /_control/settings` changes it. */
export interface Settings {
  readonly auth: AuthRule;
  /** Null: as many calls as come. */
  readonly rate_limit: RateLimit | null;
  /**
   * Which calls an `Idempotency-Key` repeats. With `all` the repetition of an update answers as the first time and
   * changes nothing, whatever was written in between.
   */
  readonly idempotency: 'none' | 'creates' | 'all';
  /** Whether a second record with the same reference is refused. */
  readonly unique_refs: boolean;
  /** Whether a write to a record without `If-Match` is answered 428. Where one is sent, it always counts. */
  readonly require_if_match: boolean;
  readonly jobs: JobSetting;
  /** Null: the system tells nobody anything. */
  readonly webhook: WebhookSetting | null;
}

/** When a job ends: after so many milliseconds, before the 202 is answered, or when `/_control/jobs/{id}` says so. */
export interface JobSetting {
  readonly ends: number | 'before_answer' | 'by_control';
  /** The reason with which every job fails; absent: they succeed. */
  readonly refused?: string;
}

export const PLAIN_SETTINGS: Settings = {
  auth: { scheme: 'none' },
  rate_limit: null,
  idempotency: 'creates',
  unique_refs: false,
  require_if_match: false,
  jobs: { ends: 'by_control' },
  webhook: null,
};

export type SettingsRead =
  | { readonly kind: 'settings'; readonly settings: Partial<Settings> }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/** Reads the settings that a caller wants to change; a single mistake, and none of them is. */
export function readSettings(value: unknown): SettingsRead {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'refused', problems: ['the settings must be an object'] };
  const problems = Object.entries(value).flatMap(([name, setting]: [string, unknown]) => {
    const problem = CHECKS.get(name)?.(setting);
    if (!CHECKS.has(name)) return [`${name} is not known; known are ${[...CHECKS.keys()].join(', ')}`];
    return problem === undefined ? [] : [`${name}: ${problem}`];
  });
  return problems.length > 0 ? { kind: 'refused', problems } : { kind: 'settings', settings: value };
}

type Check = (value: unknown) => string | undefined;

const isFlag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');

const CHECKS: ReadonlyMap<string, Check> = new Map([
  ['auth', problemOfAuthRule],
  ['rate_limit', (value) => (value === null ? undefined : problemOfRateLimit(value))],
  ['idempotency', (value) => (isOneOf(value, ['none', 'creates', 'all']) ? undefined : 'must be none, creates or all')],
  ['unique_refs', isFlag],
  ['require_if_match', isFlag],
  ['jobs', problemOfJobs],
  ['webhook', (value) => (value === null ? undefined : problemOfWebhook(value))],
]);

function problemOfRateLimit(value: unknown): string | undefined {
  const { max, per_ms: perMs, retry_after: style = 'seconds' } = Object(value) as Record<string, unknown>;
  if (!isCount(max) || !isCount(perMs) || perMs === 0) return 'max and per_ms must be whole numbers';
  return isOneOf(style, RETRY_AFTER_STYLES) ? undefined : `retry_after must be ${RETRY_AFTER_STYLES.join(', ')}`;
}

function problemOfJobs(value: unknown): string | undefined {
  const { ends, refused = '' } = Object(value) as Record<string, unknown>;
  if (!isCount(ends) && !isOneOf(ends, ['before_answer', 'by_control']))
    return 'ends must be milliseconds, before_answer or by_control';
  return typeof refused === 'string' ? undefined : 'refused must be text';
}

function problemOfWebhook(value: unknown): string | undefined {
  const { url, about } = Object(value) as Record<string, unknown>;
  if (typeof url !== 'string' || !URL.canParse(url)) return 'url must be a URL';
  if (!Array.isArray(about) || !about.every((one) => isOneOf(one, ['jobs', 'writes'])))
    return 'about must be a list of jobs and writes';
  return undefined;
}

function isOneOf(value: unknown, known: readonly string[]): boolean {
  return known.some((one) => one === value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
