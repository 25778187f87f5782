import { RETRY_AFTER_STYLES, type RetryAfterStyle } from './retry-after.js';

/**
 * What can be made to go wrong, as it is written in a fault script (JSON). The two time-outs leave the caller without
 * an answer; with `ms` the connection is cut after that time, without it the caller has to give up by itself. What is
 * held or late goes on after `ms`, without it when `POST /_control/release` says so.
 */
export type Fault =
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'hold' }
  | { readonly kind: 'ignore_idempotency_key' }
  | { readonly kind: 'timeout_before_applying'; readonly ms?: number }
  | { readonly kind: 'timeout_after_applying'; readonly ms?: number }
  | { readonly kind: 'reset_before_applying' }
  | { readonly kind: 'reset_after_applying' }
  | { readonly kind: 'late_answer'; readonly ms?: number }
  | { readonly kind: 'late_body'; readonly ms?: number }
  | { readonly kind: 'cut_body' }
  | ({ readonly kind: 'status' } & ScriptedAnswer)
  | ({ readonly kind: 'status_after_applying' } & ScriptedAnswer)
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number }
  | { readonly kind: 'throttle'; readonly for_ms: number; readonly retry_after?: RetryAfterStyle }
  | { readonly kind: 'garbage' };

export interface ScriptedAnswer {
  readonly status: number;
  readonly retry_after?: number | string;
  readonly body?: unknown;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A fault and the calls that it strikes: by default the next call, whatever it is. */
export type FaultRule = Fault & {
  /** How often the rule may strike; `*` is always. Default 1. */
  readonly times?: number | '*';
  readonly method?: (typeof METHODS)[number];
  /** Compared with path and query, so that `/customers?ref=` means the look-ups alone. */
  readonly path_prefix?: string;
  /** Text that the body must hold: where every call is a POST to one path, it is how they are told apart. */
  readonly body_includes?: string;
  /** Share of the matching calls that are struck. Needs `seed`, so that a failing run can be repeated. */
  readonly probability?: number;
  readonly seed?: number;
};

/** A day: timers of Node.js overflow not far above. */
const DURATION_MS_MAX = 86_400_000;

interface Members {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

const MEMBERS_OF_KIND: Record<Fault['kind'], Members> = {
  delay: { required: ['ms'], optional: [] },
  hold: { required: [], optional: [] },
  ignore_idempotency_key: { required: [], optional: [] },
  timeout_before_applying: { required: [], optional: ['ms'] },
  timeout_after_applying: { required: [], optional: ['ms'] },
  reset_before_applying: { required: [], optional: [] },
  reset_after_applying: { required: [], optional: [] },
  late_answer: { required: [], optional: ['ms'] },
  late_body: { required: [], optional: ['ms'] },
  cut_body: { required: [], optional: [] },
  status: { required: ['status'], optional: ['retry_after', 'body'] },
  status_after_applying: { required: ['status'], optional: ['retry_after', 'body'] },
  redirect: { required: ['location'], optional: ['status'] },
  throttle: { required: ['for_ms'], optional: ['retry_after'] },
  garbage: { required: [], optional: [] },
};
const MEMBERS_OF_EVERY_RULE = ['kind', 'times', 'method', 'path_prefix', 'body_includes', 'probability', 'seed'];

interface MemberCheck {
  readonly holds: (value: unknown) => boolean;
  readonly mustBe: string;
}

const DURATION: MemberCheck = {
  holds: (value) => isWholeNumber(value, 0, DURATION_MS_MAX),
  mustBe: `a whole number of milliseconds from 0 to ${DURATION_MS_MAX}`,
};
/** A throttle knows how long it lasts, so that only the way of saying it is chosen. */
const STYLE: MemberCheck = {
  holds: (value) => RETRY_AFTER_STYLES.some((style) => style === value),
  mustBe: `one of ${RETRY_AFTER_STYLES.join(', ')}`,
};
const MEMBER_CHECKS: ReadonlyMap<string, MemberCheck> = new Map([
  ['ms', DURATION],
  ['for_ms', DURATION],
  ['status', { holds: (value) => isWholeNumber(value, 200, 599), mustBe: 'an HTTP status from 200 to 599' }],
  ['retry_after', { holds: isRetryAfter, mustBe: 'whole seconds or an HTTP date' }],
  ['body', { holds: () => true, mustBe: 'anything' }],
  ['times', { holds: (value) => value === '*' || isWholeNumber(value, 1), mustBe: 'a whole number from 1, or "*"' }],
  ['method', { holds: (value) => METHODS.some((known) => known === value), mustBe: 'GET, POST, PUT, PATCH or DELETE' }],
  ['body_includes', { holds: (value) => typeof value === 'string' && value !== '', mustBe: 'text' }],
  ['location', { holds: (value) => typeof value === 'string' && value !== '', mustBe: 'text' }],
  [
    'path_prefix',
    { holds: (value) => typeof value === 'string' && value.startsWith('/'), mustBe: 'text with a leading /' },
  ],
  [
    'probability',
    { holds: (value) => typeof value === 'number' && value >= 0 && value <= 1, mustBe: 'a number from 0 to 1' },
  ],
  ['seed', { holds: (value) => isWholeNumber(value, 0), mustBe: 'a whole number from 0' }],
]);

export type FaultRulesRead =
  | { readonly kind: 'rules'; readonly rules: readonly FaultRule[] }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/** Reads a fault script, a list of rules, and names every mistake in it. A script with a mistake is no script. */
export function readFaultRules(script: unknown): FaultRulesRead {
  if (!Array.isArray(script)) return { kind: 'refused', problems: ['the script must be a list of rules'] };
  const problems = script.flatMap((rule: unknown, index) =>
    problemsOf(rule).map((problem) => `rule ${index + 1}: ${problem}`),
  );
  if (problems.length > 0) return { kind: 'refused', problems };
  return { kind: 'rules', rules: script as FaultRule[] };
}

function problemsOf(rule: unknown): string[] {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return ['must be an object'];
  const given = new Map<string, unknown>(Object.entries(rule));
  const members = membersOf(given.get('kind'));
  if (members === undefined) return [`kind must be one of ${Object.keys(MEMBERS_OF_KIND).join(', ')}`];

  const allowed = [...MEMBERS_OF_EVERY_RULE, ...members.required, ...members.optional];
  const required = given.has('probability') ? [...members.required, 'seed'] : members.required;
  const problems = required.filter((name) => !given.has(name)).map((name) => `${name} is missing`);
  for (const [name, value] of given) {
    const check = given.get('kind') === 'throttle' && name === 'retry_after' ? STYLE : MEMBER_CHECKS.get(name);
    if (!allowed.includes(name)) problems.push(`${name} is not known here; known are ${allowed.join(', ')}`);
    else if (check !== undefined && !check.holds(value)) problems.push(`${name} must be ${check.mustBe}`);
  }
  return problems;
}

function membersOf(kind: unknown): Members | undefined {
  return Object.entries(MEMBERS_OF_KIND).find(([known]) => known === kind)?.[1];
}

function isWholeNumber(value: unknown, from: number, to = Number.MAX_SAFE_INTEGER): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= from && value <= to;
}

function isRetryAfter(value: unknown): boolean {
  return isWholeNumber(value, 0) || (typeof value === 'string' && /^[\x20-\x7e]+$/.test(value));
}
