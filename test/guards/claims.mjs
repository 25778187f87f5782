const LOST_LEASE = 'test/integration/work/lost-lease.test.ts';
const CANNOT = { file: LOST_LEASE, title: 'cannot %s, and whatever else its transaction did is undone' };
const TAKE_OVER = 'test/integration/work/take-over.test.ts';
const HEARTBEAT = 'test/integration/work/heartbeat.test.ts';
const WORK_SQL = 'src/flow/work/work.sql.ts';
const WORK = 'src/flow/work/work.service.ts';
const RUNNER = 'src/flow/process-event/event-runner.ts';

/** Claims, fences, leases, and batches of which one item is bad. */
export const CLAIMS = [
  {
    name: 'one-claim-per-row',
    promise: 'Of many workers that claim due work at once, one gets each piece.',
    file: WORK_SQL,
    text: `LIMIT $2
          FOR UPDATE SKIP LOCKED`,
    replacement: 'LIMIT $2',
    test: {
      file: 'test/integration/work/claim-due.test.ts',
      title: 'gives each piece to one of many claimers, and none is left out',
    },
  },
  {
    name: 'claim-of-due-work-only',
    promise: 'A piece that somebody has, that waits or that is dead is not claimed by its name.',
    file: WORK_SQL,
    text: `work.key = $2 AND work.status = 'due' AND`,
    replacement: 'work.key = $2 AND',
    test: {
      file: 'test/integration/work/claim-due.test.ts',
      title: 'gives one named piece to one of many claimers',
    },
  },
  {
    name: 'fence-of-finish',
    promise: 'A worker whose claim was taken over cannot end the work.',
    file: WORK_SQL,
    text: 'work.key = mine.key AND work.fence = mine.fence AND',
    replacement: 'work.key = mine.key AND',
    test: { ...CANNOT, row: 'finish' },
  },
  {
    name: 'fence-of-reschedule',
    promise: 'A worker whose claim was taken over cannot put the work back.',
    file: WORK_SQL,
    text: `work.fence = $3 AND work.status = 'processing'
     RETURNING work.wake`,
    replacement: `$3::bigint IS NOT NULL AND work.status = 'processing'
     RETURNING work.wake`,
    test: { ...CANNOT, row: 'record a retry' },
  },
  {
    name: 'fence-of-bury',
    promise: 'A worker whose claim was taken over cannot give the work up.',
    file: WORK_SQL,
    text: `work.fence = $3 AND work.status = 'processing'
     RETURNING work.key`,
    replacement: `$3::bigint IS NOT NULL AND work.status = 'processing'
     RETURNING work.key`,
    test: { ...CANNOT, row: 'bury it' },
  },
  {
    name: 'fence-of-park',
    promise: 'A worker whose claim was taken over cannot park the event.',
    file: 'src/flow/work/waiting.sql.ts',
    text: 'work.key = mine.key AND work.fence = mine.fence AND',
    replacement: 'work.key = mine.key AND',
    test: {
      file: 'test/integration/parking/lost-claim.test.ts',
      title: 'a worker whose claim was taken over cannot park it, and whatever else its transaction did is undone',
    },
  },
  {
    name: 'lease-lost-at-finish',
    promise: 'Work that was not there to be ended undoes the whole transaction.',
    file: WORK,
    text: 'if (lost.length > 0) throw new LeaseLost(lost);',
    replacement: '',
    test: { file: LOST_LEASE, title: 'of several claims loses that one only, by name' },
  },
  {
    name: 'lease-lost-at-reschedule',
    promise: 'A failure of work that was taken over is not recorded, nor anything else of its transaction.',
    file: WORK,
    text: `delayMs, attempts, code, detail, failureClass });
    if (row === undefined) throw new LeaseLost([key]);
    return row.wake;`,
    replacement: `delayMs, attempts, code, detail, failureClass });
    return row?.wake;`,
    test: { ...CANNOT, row: 'record a retry' },
  },
  {
    name: 'lease-lost-at-rearm',
    promise: 'Work that was taken over is not armed again by its former worker.',
    file: WORK,
    text: `delayMs, ...clean });
    if (row === undefined) throw new LeaseLost([key]);
    return row.wake;`,
    replacement: `delayMs, ...clean });
    return row?.wake;`,
    test: { ...CANNOT, row: 'arm it again' },
  },
  {
    name: 'lease-lost-at-bury',
    promise: 'A dead letter of work that was taken over is not written.',
    file: WORK,
    text: 'if (buried.length === 0) throw new LeaseLost([key]);',
    replacement: '',
    test: { ...CANNOT, row: 'bury it' },
  },
  {
    name: 'lease-lost-at-park',
    promise: 'Work that was not there to be parked undoes the whole transaction.',
    file: 'src/flow/work/waiting.service.ts',
    text: 'if (lost.length > 0) throw new LeaseLost(lost);',
    replacement: '',
    test: {
      file: 'test/integration/parking/lost-claim.test.ts',
      title: 'a worker whose claim was taken over cannot park it, and whatever else its transaction did is undone',
    },
  },
  {
    name: 'batch-without-the-lost-one',
    promise: 'A batch of which one claim was taken over is applied without that one.',
    file: RUNNER,
    text: 'return this.runBatch(events.filter(({ claim }) => !lost.has(claim.key)));',
    replacement: 'return lost.clear();',
    test: {
      file: 'test/integration/process-event/lost-fence.test.ts',
      title: 'applies the rest once, and leaves that one to its new owner',
    },
  },
  {
    name: 'higher-fence-at-take-over',
    promise: 'Whoever takes work over gets a fence of their own.',
    file: WORK_SQL,
    text: `fence = nextval('work_fences'), claims = work.claims + 1,`,
    replacement: 'claims = work.claims + 1,',
    test: { file: TAKE_OVER, title: 'takes one piece at a time, the longest abandoned first, with a higher fence' },
  },
  {
    name: 'take-over-of-expired-leases-only',
    promise: 'Work in living hands is not taken over.',
    file: WORK_SQL,
    text: `work.status = 'processing' AND work.lease_until < now()
          AND`,
    replacement: `work.status = 'processing' AND`,
    test: { file: TAKE_OVER, title: 'takes one piece at a time, the longest abandoned first, with a higher fence' },
  },
  {
    name: 'single-take-over',
    promise: 'Work that ends its workers is taken over alone and takes no neighbours along.',
    file: WORK_SQL,
    text: 'ORDER BY work.lease_until LIMIT 1',
    replacement: 'ORDER BY work.lease_until LIMIT 10',
    test: { file: TAKE_OVER, title: 'takes one piece at a time, the longest abandoned first, with a higher fence' },
  },
  {
    name: 'one-take-over-per-row',
    promise: 'Of many workers that take over at once, one gets each piece.',
    file: WORK_SQL,
    text: `LIMIT 1
          FOR UPDATE SKIP LOCKED`,
    replacement: 'LIMIT 1',
    test: { file: TAKE_OVER, title: 'gives no piece to two workers' },
  },
  {
    name: 'take-overs-are-counted',
    promise: 'Each take-over counts towards poison.',
    file: WORK_SQL,
    text: 'claims = work.claims + 1, lease_until',
    replacement: 'lease_until',
    test: { file: TAKE_OVER, title: 'counts only what was claimed alone towards poison' },
  },
  {
    name: 'poison-limit-of-events',
    promise: 'An event that ended five workers is set aside.',
    file: RUNNER,
    text: 'claim.takeOvers > TAKE_OVER_MAX',
    replacement: 'claim.takeOvers > Infinity',
    test: {
      file: 'test/integration/process-event/poison.test.ts',
      title: 'is set aside after five of them, and one that was taken over five times is still tried',
    },
  },
  {
    name: 'poison-limit-of-deliveries',
    promise: 'A delivery that ended five workers is set aside without another call.',
    file: 'src/flow/delivery/deliver.ts',
    text: 'if (claim.takeOvers > TAKE_OVER_MAX) return POISON;',
    replacement: '',
    test: {
      file: 'test/integration/delivery/poison.test.ts',
      title: 'is set aside after five of them, without a call',
    },
  },
  {
    name: 'heartbeat',
    promise: 'Work that takes longer than its lease is not taken over while its process lives.',
    file: RUNNER,
    text: `await this.heartbeat.during('event', claims, leaseMs, () => this.runEach(claims));`,
    replacement: 'if (leaseMs > 0) await this.runEach(claims);',
    test: {
      file: HEARTBEAT,
      title: 'is not taken over: its lease grows, under one fence, and its effect happens once',
    },
  },
  {
    name: 'heartbeat-revives-nothing',
    promise: 'A lease that ran out while its process was frozen stays lost.',
    file: WORK_SQL,
    text: `work.status = 'processing' AND work.lease_until > now()
          FOR UPDATE OF work SKIP LOCKED`,
    replacement: `work.status = 'processing'
          FOR UPDATE OF work SKIP LOCKED`,
    test: {
      file: HEARTBEAT,
      title: 'is lost where its process was frozen past the lease: it is not revived, and the late effect is none',
    },
  },
  {
    name: 'heartbeat-waits-for-nobody',
    promise: 'A row that is being ended at this moment holds up the heartbeat of no other.',
    file: WORK_SQL,
    text: 'FOR UPDATE OF work SKIP LOCKED',
    replacement: 'FOR UPDATE OF work',
    test: {
      file: HEARTBEAT,
      title: 'waits for nobody: a row that is locked is passed over, and the others are prolonged',
    },
  },
  {
    name: 'heartbeat-has-an-end',
    promise: 'Work that hangs is let go of after ten leases.',
    file: 'src/flow/work/heartbeat.ts',
    text: 'nowMs < untilMs',
    replacement: 'nowMs < Infinity',
    test: { file: HEARTBEAT, title: 'ends with the work, and lets go of work that hangs after ten leases' },
  },
  {
    name: 'batch-halving',
    promise: 'A bad event is given up alone, and its batch is applied.',
    file: RUNNER,
    text: `await this.runBatch(events.slice(0, middle));
    await this.runBatch(events.slice(middle));`,
    replacement: 'for (const each of events) await this.fail(each.claim, this.failureOf(each, error));',
    test: {
      file: 'test/integration/process-event/undecidable-event.test.ts',
      title: 'is buried alone: its batch is applied',
    },
  },
  {
    name: 'lock-timeout',
    promise: 'A statement that waits for a lock of a frozen process gives up after two seconds.',
    file: 'src/platform/database/data-source.ts',
    text: '`-c lock_timeout=${String(LOCK_TIMEOUT_MS)}`',
    replacement: '`-c lock_timeout=${String(LOCK_TIMEOUT_MS * 5)}`',
    test: {
      file: 'test/integration/blocked-statement.test.ts',
      title: 'a statement that waits for a lock gives up after two seconds, and says that it was blocked',
    },
  },
  {
    name: 'idle-in-transaction-timeout',
    promise: 'A transaction of ours that stands still is ended well before a lease is.',
    file: 'src/platform/database/data-source.ts',
    text: '`-c idle_in_transaction_session_timeout=${String(idleMs)}`',
    replacement: '`-c idle_in_transaction_session_timeout=${String(idleMs * 100)}`',
    test: {
      file: 'test/integration/process-event/idle-transaction.test.ts',
      title: 'is a failed attempt of the event that held it up, and of no other',
    },
  },
];
