import type { Answer, SystemRequest } from './answer.js';
import { authenticationFor } from './auth/authentication-for.js';
import type { Authentication } from './auth/authentication.js';
import { Tickets } from './auth/tickets.js';
import { CallLog, type Call } from './call-log.js';
import { dialectCalled, type DialectName } from './dialects/dialects.js';
import type { Dialect } from './dialects/dialect.js';
import { FaultScript } from './fault-script.js';
import { HeldCalls } from './held-calls.js';
import { Jobs } from './jobs.js';
import { RateLimiter } from './rate-limit.js';
import { RecordStore, type Change, type SystemName } from './record-store.js';
import { retryAfterText } from './retry-after.js';
import { PLAIN_SETTINGS, type Settings } from './settings.js';
import { Webhooks } from './webhooks.js';

export interface SampleSystemOptions {
  readonly system: SystemName;
  /** Default `rest`. */
  readonly dialect?: DialectName;
  /** What is different from the dialect's own settings. */
  readonly settings?: Partial<Settings>;
  readonly firstNumber: number;
  readonly now: () => number;
}

/** What a call brought about, beside its answer. */
export interface CarriedOut {
  readonly answer: Answer;
  readonly changes: readonly Change[];
  /** Jobs that began; whoever serves the call lets them end. */
  readonly jobIds: readonly string[];
}

const CHANGING_METHODS = ['PUT', 'PATCH', 'DELETE'];

/** One system without its network: records, dialect, limits, authentication, and what a test sees and changes of it. */
export class SampleSystem {
  readonly name: SystemName;
  readonly store: RecordStore;
  readonly calls: CallLog;
  readonly faults: FaultScript;
  readonly jobs: Jobs;
  readonly webhooks: Webhooks;
  readonly held = new HeldCalls();
  readonly tickets: Tickets;
  private readonly dialect: Dialect;
  private readonly limiter: RateLimiter;
  private readonly answersByKey = new Map<string, Answer>();
  private readonly firstSettings: Settings;
  private current: Settings;
  private authentication: Authentication;

  constructor(private readonly options: SampleSystemOptions) {
    const { system, now, firstNumber } = options;
    this.name = system;
    this.dialect = dialectCalled(options.dialect ?? 'rest', system);
    this.store = new RecordStore({ nameId: this.dialect.nameId, firstNumber, now });
    this.calls = new CallLog(now);
    this.faults = new FaultScript(now);
    this.jobs = new Jobs(this.store);
    this.webhooks = new Webhooks(now);
    this.tickets = new Tickets(now);
    this.limiter = new RateLimiter(now);
    this.firstSettings = { ...PLAIN_SETTINGS, ...this.dialect.settings, ...options.settings };
    this.current = this.firstSettings;
    this.authentication = authenticationFor(this.current.auth, this.tickets);
  }

  get settings(): Settings {
    return this.current;
  }

  /** Changes what is named. Another authentication ends every session and token. */
  change(settings: Partial<Settings>): void {
    this.current = { ...this.current, ...settings };
    if (settings.auth === undefined) return;
    this.tickets.revokeAll();
    this.authentication = authenticationFor(settings.auth, this.tickets);
  }

  /** As it was when it started, but for the ids that were given. */
  reset(): void {
    this.store.clear();
    this.calls.clear();
    this.faults.load([]);
    this.jobs.clear();
    this.webhooks.clear();
    this.tickets.clear();
    this.limiter.clear();
    this.answersByKey.clear();
    this.held.release();
    this.change(this.firstSettings);
  }

  /** What the log may keep of a body: never credentials. */
  bodyForLog(request: SystemRequest): string | null {
    const { auth } = this.current;
    const isLogIn =
      (auth.scheme === 'session' && request.url.pathname === '/login') ||
      (auth.scheme === 'oauth2-client-credentials' && request.url.pathname === auth.token_path);
    return isLogIn ? null : (this.dialect.mask?.(request.body) ?? request.body);
  }

  /** Carries a call out and notes in the log what it did. */
  carryOut(request: SystemRequest, call: Call): CarriedOut {
    const { length } = this.store.changes();
    const answer = this.answer(request);
    const jobIds = this.jobs.takeBegun();
    const { ends, refused } = this.current.jobs;
    if (ends === 'before_answer') for (const id of jobIds) this.jobs.end(id, refused);

    const changes = this.store.changes().slice(length);
    const last = changes.at(-1);
    call.applied = last !== undefined;
    call.revision = last?.revision ?? null;
    call.record_id = last?.id ?? answer.recordId ?? null;
    return { answer, changes, jobIds };
  }

  private answer(request: SystemRequest): Answer {
    const refusedFor = this.current.rate_limit === null ? undefined : this.limiter.enter(this.current.rate_limit);
    if (refusedFor !== undefined) return this.throttled(refusedFor);
    const login = this.authentication.logIn(request);
    if (login !== undefined) return login;
    const admission = this.authentication.admit(request);
    const { headers } = admission;
    if (admission.kind === 'refused')
      return withHeaders(admission.answer ?? this.dialect.refuse('unauthorized'), headers);
    return withHeaders(this.answerOnce(request), headers);
  }

  /** With `idempotency: all` a known key gets its old answer, and nothing is done. */
  private answerOnce(request: SystemRequest): Answer {
    const { idempotency } = this.current;
    const key = idempotency === 'none' ? undefined : request.idempotencyKey;
    const repeats = idempotency === 'all' && CHANGING_METHODS.includes(request.method) ? key : undefined;
    const former = repeats === undefined ? undefined : this.answersByKey.get(repeats);
    if (former !== undefined) return former;
    const parts = { store: this.store, jobs: this.jobs, settings: this.current };
    const answer = this.dialect.answer(parts, { ...request, idempotencyKey: key });
    if (repeats !== undefined && answer.status < 300) this.answersByKey.set(repeats, answer);
    return answer;
  }

  private throttled(leftMs: number): Answer {
    const style = this.current.rate_limit?.retry_after ?? 'seconds';
    const retryAfter = retryAfterText(style, leftMs, this.options.now());
    return withHeaders(this.dialect.refuse('throttled'), retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  }
}

function withHeaders(answer: Answer, headers: Answer['headers'] = {}): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
