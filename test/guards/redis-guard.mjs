const GUARD = 'src/flow/inbox/duplicate-guard.ts';
const SELF_TEST = 'src/flow/inbox/guard-self-test.ts';
const REFUSES = { file: 'src/flow/inbox/guard-self-test.spec.ts', title: 'refuses one that $name' };
const COPIES = 'test/integration/inbox/guard-copies.test.ts';
const TROUBLE = {
  file: 'test/integration/inbox/guard-redis-trouble.test.ts',
  title: 'slow: the first request waits for it, and then nobody',
};

/** The memory in Redis: it may know less than PostgreSQL and never more. */
export const REDIS_GUARD = [
  {
    name: 'epoch-in-the-key',
    promise: 'What another history of the database had accepted is not found.',
    file: 'src/domain/business-key.ts',
    text: `'guard', epoch, scope`,
    replacement: `'guard', String(epoch.length), scope`,
    test: {
      file: 'test/integration/inbox/guard-restored-database.test.ts',
      title: '%s',
      row: 'somebody asked for it',
    },
  },
  {
    name: 'epoch-after-the-answer',
    promise: 'No answer is believed that was asked for in another history.',
    file: GUARD,
    text: 'if (value === null || this.epoch.current !== epoch) return undefined;',
    replacement: 'if (value === null) return undefined;',
    test: { file: COPIES, title: 'believes no answer to a question that was asked in another history of the database' },
  },
  {
    name: 'epoch-around-the-commit',
    promise: 'A verdict that was given while the history changed is not remembered.',
    file: GUARD,
    text: 'if (epoch === undefined || epoch !== this.epoch.current) return verdict;',
    replacement: 'if (epoch === undefined) return verdict;',
    test: { file: COPIES, title: 'learns nothing from a verdict that was given while the history changed' },
  },
  {
    name: 'epoch-unknown-at-a-new-connection',
    promise: 'As soon as a connection changes, nothing is believed until the database was asked again.',
    file: 'src/flow/inbox/guard-epoch.ts',
    text: 'this.database.onConnectionChange(() => this.forget());',
    replacement: '',
    test: {
      file: 'test/integration/inbox/guard-restored-database.test.ts',
      title: 'when an older database took the place of the newer one under its name',
    },
  },
  {
    name: 'written-after-the-commit',
    promise: 'Redis is told of an event only after PostgreSQL has it.',
    file: GUARD,
    text: 'const verdict = await judge();',
    replacement: `const early = guardKey(this.prefix, epoch ?? '', event.scope, event.idempotencyKey);
    const promised = guardValue('01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2a' as EventId, event.fingerprint);
    this.writer.add({ key: early, value: promised, lifeSeconds: 60 });
    const verdict = await judge();`,
    test: {
      file: COPIES,
      title:
        'never runs ahead of PostgreSQL: an event whose commit failed leaves nothing, and comes again as the first',
    },
  },
  {
    name: 'fingerprint-in-the-value',
    promise: 'Redis never calls other content a copy.',
    file: 'src/flow/inbox/guard-value.ts',
    text: 'eventId !== undefined && accepted === fingerprint',
    replacement: 'eventId !== undefined && accepted !== undefined',
    test: { file: COPIES, title: 'leaves other content under a used key to PostgreSQL: it is a conflict' },
  },
  {
    name: 'nx-is-asked-for',
    promise: 'A later write changes nothing: the first event stays the one that a copy is told of.',
    file: 'src/flow/inbox/guard-store.ts',
    text: `'EX', lifeSeconds, 'NX'`,
    replacement: `'EX', lifeSeconds`,
    test: { file: COPIES, title: 'remembers an event for a day at most' },
  },
  {
    name: 'nx-is-proved',
    promise: 'A Redis or a client that lets a later write win is not used.',
    file: SELF_TEST,
    text: `if ((await write('second')) !== false) throw`,
    replacement: `if ((await write('second')) === undefined) throw`,
    test: { ...REFUSES, row: 'writes what is there' },
  },
  {
    name: 'first-value-is-proved',
    promise: 'A Redis or a client that only says that it kept the first value is not used.',
    file: SELF_TEST,
    text: `if (kept !== 'first') throw`,
    replacement: `if (kept === undefined) throw`,
    test: { ...REFUSES, row: 'says that it did not, and does' },
  },
  {
    name: 'ttl-is-proved',
    promise: 'A Redis or a client that would keep keys for another time than asked for is not used.',
    file: SELF_TEST,
    text: 'lifeMs > LIFE_SECONDS * 1_000 || lifeMs < LIFE_SECONDS * 500',
    replacement: 'Number.isNaN(lifeMs)',
    test: { ...REFUSES, row: 'keeps for ever' },
  },
  {
    name: 'life-of-a-day',
    promise: 'What is older than the memory of Redis is not remembered there, however late its copy comes.',
    file: GUARD,
    text: 'if (!share.isHigh || lifeSeconds <= 0 ||',
    replacement: 'if (!share.isHigh ||',
    test: {
      file: COPIES,
      title: 'learns from a copy that PostgreSQL found, but not about an event that is older than its memory',
    },
  },
  {
    name: 'redis-time-out',
    promise: 'A request waits for a slow Redis for a few milliseconds only.',
    file: 'src/platform/redis/redis-link.ts',
    text: 'const answer = await answerOf(command(redis), withinMs);',
    replacement: 'const answer = await answerOf(command(redis), withinMs * 120);',
    test: TROUBLE,
  },
  {
    name: 'circuit-breaker',
    promise: 'After the first request that waited for a slow Redis nobody waits for it.',
    file: 'src/platform/redis/redis-link.ts',
    text: `this.open(redis, error);
      throw error;`,
    replacement: 'throw error;',
    test: TROUBLE,
  },
];
