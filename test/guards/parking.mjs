const REFERENCE = 'test/integration/parking/missing-reference.test.ts';
const NAME_LOCK = 'test/integration/parking/name-lock.test.ts';
const PARKING = 'src/flow/parking/parking.service.ts';
const PARKED = 'src/flow/process-event/parked-events.ts';
const LANES = 'src/flow/process-event/event-lanes.ts';
const SWEPT = 'test/integration/process-event/swept-events.test.ts';

/** Waiting, the locks that keep wake-ups from being lost, and the sweep under all of it. */
export const PARKING_AND_LOCKS = [
  {
    name: 'name-lock-of-the-parker',
    promise: 'Whoever parks holds the name: a landing waits, and then finds the parked event.',
    file: 'src/flow/process-event/await-references.ts',
    text: 'await this.parking.lockUnknown(tx, unknown);',
    replacement: '',
    test: { file: NAME_LOCK, title: 'to park makes the landing wait, which then wakes the event' },
  },
  {
    name: 'name-lock-of-the-lander',
    promise: 'Whoever makes an id known holds its name: the parker waits, and then finds the id.',
    file: PARKING,
    text: 'await this.lockUnknown(tx, [id]);',
    replacement: '',
    test: { file: NAME_LOCK, title: 'to land makes the event wait, which then finds the id and is not parked' },
  },
  {
    name: 'entity-lock',
    promise: 'An entity is in one transaction at a time, so that no change and no wake-up is lost.',
    file: 'src/flow/entities/entities.sql.ts',
    text: `ORDER BY entities.internal_id
        FOR UPDATE`,
    replacement: 'ORDER BY entities.internal_id',
    test: {
      file: 'test/integration/process-event/held-entity.test.ts',
      title: 'an entity is held by one transaction at a time, so that the second one sees what the first one made',
    },
  },
  {
    name: 'lock-of-unborn-entities',
    promise: 'An entity that has an id and no row yet is in one transaction at a time.',
    file: 'src/flow/entities/entities.service.ts',
    text: 'await lockUnborn(tx, unborn);',
    replacement: '',
    test: {
      file: 'test/integration/process-event/unborn-entity.test.ts',
      title: 'is held by one transaction at a time, so that the second one sees what the first one made',
    },
  },
  {
    name: 'release-by-events',
    promise: 'The transaction that makes a thing happen wakes whoever waits for it.',
    file: 'src/flow/process-event/process-event.ts',
    text: 'await this.parking.release(tx, batch.happened);',
    replacement: '',
    test: { file: REFERENCE, title: 'waits for it by name, leaves nothing behind, and goes on with it' },
  },
  {
    name: 'release-by-creates-and-links',
    promise: 'An id that arrives from a target or from a person wakes whoever waits for it, as it is linked.',
    file: PARKING,
    text: `released: rows.length === 0 ? 0 : await this.release(tx, [{ kind: 'mapping', ...id }])`,
    replacement: 'released: 0',
    test: { file: REFERENCE, title: 'goes on when the id arrives that a create of ours waited for' },
  },
  {
    name: 're-test-of-parked-events',
    promise: 'A wake-up that was lost all the same is made up for by the sweep.',
    file: PARKED,
    text: 'const released = await this.retest();',
    replacement: 'const released = 0;',
    test: { file: REFERENCE, title: 'a wake-up that was lost is made up for by the sweep' },
  },
  {
    name: 'park-deadline',
    promise: 'What waits in vain becomes a dead letter with its reason.',
    file: PARKED,
    text: 'while ((await this.expire()) === EXPIRE_MAX);',
    replacement: '',
    test: { file: REFERENCE, title: 'becomes a dead letter with its reason when its time is over' },
  },
  {
    name: 'look-before-giving-up',
    promise: 'What has happened after all is no reason to give up.',
    file: PARKED,
    text: 'await this.parking.release(tx, await this.happened(tx, expired));',
    replacement: '',
    test: { file: REFERENCE, title: 'is not given up where what it waits for has happened after all' },
  },
  {
    name: 'deadline-of-the-first-wait',
    promise: 'An event that goes from one wait to the next does not wait for ever.',
    file: 'src/flow/work/waiting.sql.ts',
    text: `COALESCE(work.wait_until, now() + $2 * interval '1 ms')`,
    replacement: `now() + $2 * interval '1 ms'`,
    test: { file: REFERENCE, title: 'waits for one thing after the other, and its time runs from the first' },
  },
  {
    name: 'savepoint-roll-back',
    promise: 'An event that is parked or refused leaves nothing behind.',
    file: 'src/flow/process-event/decide-batch.ts',
    text: 'await before.rollBack();',
    replacement: '',
    test: {
      file: 'test/integration/parking/transitions.test.ts',
      title: 'that wait leave neither links nor references behind, and make them once they go on',
    },
  },
  {
    name: 'sweep-of-events',
    promise: 'An event that nobody was told of is found.',
    file: LANES,
    text: `this.wake();
    const [first]`,
    replacement: 'const [first]',
    test: { file: SWEPT, title: 'whose processing never started, because no bell rang, are found by the sweep' },
  },
  {
    name: 'take-over-of-events',
    promise: 'An event whose worker did not come back is taken over.',
    file: LANES,
    text: 'while (!this.isStopped && (await this.runner.takeOver())) hasTaken = true;',
    replacement: '',
    test: { file: SWEPT, title: 'whose worker did not come back are taken over by the sweep' },
  },
  {
    name: 'sweep-of-parked-events',
    promise: 'The sweep looks after parked events as well.',
    file: LANES,
    text: 'if ((await this.parkedEvents.sweep()) > 0) this.wake();',
    replacement: '',
    test: { file: SWEPT, title: 'that are parked and were not woken go on by the sweep' },
  },
];
