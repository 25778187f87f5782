const RETRY = 'test/integration/delivery/retry.test.ts';
const ON_REDIS = { suite: 'a delivery that fails, on redis' };
const RECORD = 'src/flow/delivery/record-attempt.ts';
const RUNNER = 'src/flow/process-event/event-runner.ts';
const BACKOFF = { file: 'src/domain/backoff.ts' };

/** How failures go on. */
export const RETRIES = [
  {
    name: 'retry-limit-of-deliveries',
    promise: 'A delivery that fails is given up after its last attempt.',
    file: RECORD,
    text: 'if (attempts <= retry.maxRetry)',
    replacement: 'if (attempts <= Infinity)',
    test: {
      file: RETRY,
      title: 'becomes a dead letter after the last attempt, with the reason of that one',
      ...ON_REDIS,
    },
  },
  {
    name: 'retry-limit-of-events',
    promise: 'An event that fails is given up after its last attempt.',
    file: RUNNER,
    text: `failureClass === 'final' || attempts > retry.maxRetry`,
    replacement: `failureClass === 'final' || attempts > retry.maxRetry + 100`,
    test: {
      file: 'test/integration/process-event/undecidable-event.test.ts',
      title: 'is buried alone: its batch is applied',
    },
  },
  {
    name: 'cap-of-the-backoff',
    promise: 'No delay grows beyond the cap.',
    ...BACKOFF,
    text: 'Math.min(capMs, policy.backoffBaseSeconds * 1000 * growth)',
    replacement: 'Math.min(Infinity, policy.backoffBaseSeconds * 1000 * growth)',
    test: { file: 'src/domain/backoff.spec.ts', title: '%d doubles from the base up to the cap' },
  },
  {
    name: 'bounded-exponent',
    promise: 'However many attempts failed, the delay is a number.',
    ...BACKOFF,
    text: 'Math.min(Math.max(retry, 1) - 1, 50)',
    replacement: 'Math.max(retry, 1) - 1',
    test: {
      file: 'src/domain/backoff.spec.ts',
      title: 'is never without a number, not even where the base is nothing',
    },
  },
  {
    name: 'jitter-above-the-cap',
    promise: 'Failures of one moment do not come back as one wave.',
    ...BACKOFF,
    text: 'delayMs + random * policy.backoffJitterMs',
    replacement: 'delayMs + random',
    test: {
      file: 'src/domain/backoff.spec.ts',
      title: 'spreads 200 failures of one moment over the whole jitter, after failure %d',
    },
  },
  {
    name: 'retry-after',
    promise: 'A target that asks for time is not called before it.',
    file: RECORD,
    text: 'Math.max(backoffMs, end.retryAfterMs ?? 0)',
    replacement: 'Math.max(backoffMs, 0)',
    test: { file: 'test/e2e/retries.test.ts', title: 'a 429 is not called again before its Retry-After' },
  },
  {
    name: 'throttled-never-dies',
    promise: 'A target that asks for fewer calls, however often, lets nothing die.',
    file: RECORD,
    text: `if (failureClass === 'throttled') return {`,
    replacement: `if (failureClass === 'throttled' && attempts < 0) return {`,
    test: { file: RETRY, title: 'spends no attempt while the target asks for fewer calls', ...ON_REDIS },
  },
  {
    name: 'waiting-spends-no-attempt',
    promise: 'Waiting is not counted as an attempt.',
    file: 'src/flow/work/work.service.ts',
    text: `next.kind === 'retry' ? retryCount + 1 : retryCount`,
    replacement: 'retryCount + 1',
    test: {
      file: 'test/integration/work/waiting.test.ts',
      title: 'waiting spends no attempt, and a failure spends one',
    },
  },
  {
    name: 'blocked-spends-no-attempt',
    promise: 'A lock that was not given is nobody’s failure.',
    file: 'src/domain/failure-class.ts',
    text: `blocked: 'throttled',`,
    replacement: `blocked: 'retryable',`,
    test: {
      file: 'src/domain/failure-class.spec.ts',
      title: 'a fault of the database spends an attempt only where the event or the program is to blame',
    },
  },
  {
    name: 'final-delivery-is-not-retried',
    promise: 'A target that will never take it is not asked again.',
    file: RECORD,
    text: `if (failureClass === 'final') return {`,
    replacement: `if (failureClass === 'final' && attempts < 0) return {`,
    test: { file: RETRY, title: 'is given up at once where the target says that it will never do', ...ON_REDIS },
  },
  {
    name: 'final-event-is-not-retried',
    promise: 'An event that can never be applied is given up at once.',
    file: RUNNER,
    text: `failureClass === 'final' || attempts >`,
    replacement: 'attempts >',
    test: {
      file: 'test/integration/process-event/merge-and-delete.test.ts',
      title: 'of a value that no rule can use is a dead letter at once, and changes nothing',
    },
  },
  {
    name: '429-is-no-failure',
    promise: 'A 429 is a wish for time and no failure.',
    file: 'src/domain/failure-class.ts',
    text: 'status === 429 || (status === 503 && hasRetryAfter)',
    replacement: 'status === 503 && hasRetryAfter',
    test: {
      file: 'src/domain/failure-class.spec.ts',
      title: 'is one and the same for every status that there is, and for what is none',
    },
  },
  {
    name: 'bounds-of-the-passport',
    promise: 'No sender may ask for more attempts, or fewer pauses, than the bounds allow.',
    file: 'src/domain/retry-passport.ts',
    text: 'number >= min && number <= max',
    replacement: 'number >= 0',
    test: { file: 'src/domain/retry-passport.spec.ts', title: 'names the bound that was passed' },
  },
];
