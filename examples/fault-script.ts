import type { Fault, FaultRule } from './fault-rule.js';
import { retryAfterText, type RetryAfterStyle } from './retry-after.js';

/** How a call ends when its end is scripted. `throttled` is `throttle` at one moment of its window. */
export type ScriptedEnd =
  | Exclude<Fault, { kind: 'delay' | 'hold' | 'ignore_idempotency_key' | 'throttle' }>
  | { readonly kind: 'throttled'; readonly retryAfter: string | undefined };

/** The call that a rule is compared with; `path` is path and query. */
export interface StruckCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** What the script has in store for one call. */
export interface FaultPlan {
  readonly delayMs: number;
  readonly isHeld: boolean;
  readonly ignoresIdempotencyKey: boolean;
  readonly end: ScriptedEnd | undefined;
  /** The kinds that strike, for the call log. */
  readonly kinds: readonly Fault['kind'][];
}

interface ActiveRule {
  readonly rule: FaultRule;
  readonly random: () => number;
  timesLeft: number;
  throttledUntil: number;
}

/**
 * The fault script of a running server. Rules are tried from top to bottom. `delay`, `hold` and
 * `ignore_idempotency_key` only colour a call, so later rules still see it; the first rule of another kind decides how
 * the call ends.
 */
export class FaultScript {
  private active: readonly ActiveRule[] = [];

  constructor(private readonly now: () => number) {}

  /** Replaces the whole script; the counts of the former one are forgotten. */
  load(rules: readonly FaultRule[]): void {
    this.active = rules.map((rule) => ({
      rule,
      random: randomFrom(rule.seed ?? 0),
      timesLeft: rule.times === '*' ? Number.POSITIVE_INFINITY : (rule.times ?? 1),
      throttledUntil: 0,
    }));
  }

  /** Decides what happens to a call and spends the rules that strike it. */
  planFor(call: StruckCall): FaultPlan {
    let delayMs = 0;
    let isHeld = false;
    let ignoresIdempotencyKey = false;
    const kinds: Fault['kind'][] = [];
    for (const active of this.active) {
      if (!this.strikes(active, call)) continue;
      const { rule } = active;
      kinds.push(rule.kind);
      if (rule.kind === 'delay') delayMs += rule.ms;
      else if (rule.kind === 'hold') isHeld = true;
      else if (rule.kind === 'ignore_idempotency_key') ignoresIdempotencyKey = true;
      else {
        const end = rule.kind === 'throttle' ? this.throttled(active, rule.retry_after) : rule;
        return { delayMs, isHeld, ignoresIdempotencyKey, end, kinds };
      }
    }
    return { delayMs, isHeld, ignoresIdempotencyKey, end: undefined, kinds };
  }

  private strikes(active: ActiveRule, { method, path, body }: StruckCall): boolean {
    const { rule } = active;
    if (rule.method !== undefined && rule.method !== method) return false;
    if (rule.path_prefix !== undefined && !path.startsWith(rule.path_prefix)) return false;
    if (rule.body_includes !== undefined && !body.includes(rule.body_includes)) return false;
    if (this.now() < active.throttledUntil) return true;
    if (active.timesLeft === 0) return false;
    if (rule.probability !== undefined && active.random() >= rule.probability) return false;
    active.timesLeft -= 1;
    if (rule.kind === 'throttle') active.throttledUntil = this.now() + rule.for_ms;
    return true;
  }

  private throttled({ throttledUntil }: ActiveRule, style: RetryAfterStyle = 'seconds'): ScriptedEnd {
    const now = this.now();
    return { kind: 'throttled', retryAfter: retryAfterText(style, throttledUntil - now, now) };
  }
}

/** The same numbers from 0 up to 1 for the same seed, on every machine (the generator known as mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
