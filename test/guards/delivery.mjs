const UNKNOWN = 'test/integration/delivery/unknown-create.test.ts';
const LOST_LEASE = {
  file: 'test/integration/delivery/lost-lease.test.ts',
  title: 'makes the delivery dirty, and the newest state is sent again',
  suite: 'a call whose worker lost its lease meanwhile (redis)',
};
const PENDING = 'test/integration/id-map/pending-create.test.ts';
const DEADLINE = 'test/integration/delivery/attempt-deadline.test.ts';
const BRING = 'src/flow/delivery/bring-up-to-date.ts';
const SESSION = 'src/flow/delivery/target-session.ts';
const SWEEP = 'src/flow/delivery/delivery-sweep.ts';

/** What goes out to targets: calls never overlap, creates are never repeated blindly, the last state wins. */
export const DELIVERY = [
  {
    name: 'late-claim-marks-no-create',
    promise: 'A worker whose time is over does not hide that its successor may have created a record.',
    file: 'src/flow/id-map/id-map.sql.ts',
    text: 'AND mappings.external_id IS NULL AND mappings.create_fence <= $3',
    replacement: 'AND mappings.external_id IS NULL',
    test: {
      file: PENDING,
      title: 'a claim that is over no longer says how the create stands: the later one must not create blindly',
    },
  },
  {
    name: 'sweep-of-deliveries',
    promise: 'A delivery whose alarm was lost is made all the same.',
    file: SWEEP,
    text: 'await this.work.findOverdueDeliveries(target, this.contract.settings.sweepEveryMs, SWEEP_MAX)',
    replacement: '[] as string[]',
    test: {
      file: 'test/integration/delivery/lost-alarms.test.ts',
      title: 'are not missed: the sweep finds the work that is due, and delivers it once',
      suite: 'alarms that redis has lost',
    },
  },
  {
    name: 'take-over-of-deliveries',
    promise: 'A delivery whose worker did not come back is taken over.',
    file: SWEEP,
    text: 'while (!this.isStopped && (await this.try(target, () => this.deliver.takeOver(target))));',
    replacement: '',
    test: LOST_LEASE,
  },
  {
    name: 'dirty-at-take-over',
    promise: 'A call of a worker that did not come back has an unknown end, and the newest state is sent after it.',
    file: 'src/flow/delivery/deliver.ts',
    text: 'await this.recording.markDirty(claim);',
    replacement: '',
    test: LOST_LEASE,
  },
  {
    name: 'dirty-after-a-lost-lease',
    promise: 'A worker that finds its lease lost has the newest state sent again.',
    file: 'src/flow/delivery/deliver.ts',
    text: 'await this.recording.sendAgain(attempt);',
    replacement: '',
    test: LOST_LEASE,
  },
  {
    name: 'dirty-after-an-unknown-end',
    promise: 'A call whose end is unknown does not stay the last word, however late it is carried out.',
    file: 'src/flow/delivery/deliveries.sql.ts',
    text: `doubt_until = CASE WHEN $5 THEN clock_timestamp() + $6 * interval '1 ms' ELSE deliveries.doubt_until END`,
    replacement: `doubt_until = CASE WHEN $5 AND $6 < 0 THEN clock_timestamp() ELSE deliveries.doubt_until END`,
    test: {
      file: 'test/e2e/retries.test.ts',
      title: 'an update that is carried out after its time-out, late, does not stay the last word',
    },
  },
  {
    name: 'no-call-after-the-deadline',
    promise: 'A worker whose lease is over makes no further call.',
    file: SESSION,
    text: 'if (timeoutMs <= 0) throw new LeaseLost([attempt.internalId]);',
    replacement: '',
    test: { file: DEADLINE, title: 'is over: no call is made' },
  },
  {
    name: 'no-call-beyond-the-deadline',
    promise: 'No call lasts beyond the lease of its worker.',
    file: SESSION,
    text: 'Math.min(attempt.rules.timeoutMs, Math.floor(attempt.deadlineMs - performance.now()))',
    replacement: 'attempt.rules.timeoutMs',
    test: { file: DEADLINE, title: 'comes before the time-out of the target: the call ends with it' },
  },
  {
    name: 'lease-longer-than-the-calls',
    promise: 'The lease of a delivery is longer than all calls of an attempt together.',
    file: 'src/flow/delivery/deliver.ts',
    text: 'Math.max(this.contract.settings.leaseMs, CALLS_MAX * Math.max(...timeouts))',
    replacement: 'Math.max(this.contract.settings.leaseMs, 0 * Math.max(...timeouts))',
    test: { file: DEADLINE, title: 'lies beyond all calls that an attempt may make' },
  },
  {
    name: 'look-before-create',
    promise: 'After a create whose end is unknown we look before we create again.',
    file: BRING,
    text: `mapping.state === 'creating' || mapping.state === 'unknown'`,
    replacement: `mapping.state === 'linked'`,
    test: {
      file: UNKNOWN,
      title: 'is looked up, and the one record that is found is adopted and brought up to date',
      suite: 'a create of which nobody knows whether it succeeded (redis)',
    },
  },
  {
    name: 'unknown-stays-unknown',
    promise: 'What was unknown before a second create stays unknown, whatever became of that one.',
    file: BRING,
    text: 'created.mayHaveArrived || wasUnknown',
    replacement: 'created.mayHaveArrived',
    test: {
      file: UNKNOWN,
      title: 'is looked up again, and not repeated, when the second try was put off',
      suite: 'a create of which nobody knows whether it succeeded (redis)',
    },
  },
  {
    name: 'no-create-without-a-look',
    promise: 'Where a contract has no way to look, an unknown create is never repeated.',
    file: BRING,
    text: 'if (find === undefined) {',
    replacement: `if (find === undefined) return this.create(attempt, session, place, true);
    if (find === undefined) {`,
    test: {
      file: UNKNOWN,
      title: 'is given up, and not repeated, where the contract declares no way to look',
      suite: 'a create of which nobody knows whether it succeeded (redis)',
    },
  },
  {
    name: 'creating-before-the-call',
    promise: 'A create that its worker did not live to hear of is known to have been begun.',
    file: BRING,
    text: `if (!(await this.pendingCreates.mark(place, attempt.fence, 'creating'))) return this.linkedMeanwhile(place);`,
    replacement: '',
    test: {
      file: 'test/faults/killed-at-work.test.ts',
      title: 'each of them is taken up by the next worker, and no customer has a second record',
    },
  },
  {
    name: 'new-id-at-once',
    promise: 'A new external id is committed before anything else is recorded, and outlives whatever fails then.',
    file: BRING,
    text: 'const linked = await this.pendingCreates.link(place, { externalId, rawExternalId });',
    replacement: `const linked = { kind: 'linked' } as Awaited<ReturnType<PendingCreateService['link']>>;`,
    test: {
      file: 'test/integration/delivery/alarm.test.ts',
      title: 'brings the change to the target at once, with its digits and our headers, and the new id into the map',
      suite: 'an alarm on redis',
    },
  },
  {
    name: 'id-of-another-entity',
    promise: 'An id that belongs to another entity is never moved.',
    file: 'src/flow/id-map/pending-create.service.ts',
    text: `if (isUniqueViolation(error)) return { kind: 'id_taken' };`,
    replacement: `if (isUniqueViolation(error)) return { kind: 'linked' };`,
    test: { file: PENDING, title: 'the created id belongs to another entity: nothing is moved' },
  },
  {
    name: 'written-back-id-stays',
    promise: 'An id that was written back meanwhile is not overwritten by that of our create.',
    file: 'src/flow/id-map/id-map.sql.ts',
    text: `AND mappings.external_id IS NULL
     RETURNING mappings.mapping_id\`,
    [link.internal_id`,
    replacement: `
     RETURNING mappings.mapping_id\`,
    [link.internal_id`,
    test: { file: PENDING, title: 'the write-back comes first with another id: it stays, and the create is told' },
  },
  {
    name: 'wish-during-a-call',
    promise: 'A change that comes while a call is out is delivered after it.',
    file: 'src/flow/delivery/record-attempt.ts',
    text: 'saved?.is_behind === true ? 0 : (saved?.doubt_ms ?? undefined)',
    replacement: 'saved?.doubt_ms ?? undefined',
    test: {
      file: 'test/integration/delivery/raised-during-call.test.ts',
      title: 'is delivered after that call, never beside it',
      suite: 'a change that comes while a call about its entity is out (redis)',
    },
  },
];
