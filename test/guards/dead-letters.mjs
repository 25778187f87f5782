const BULK = 'test/integration/dead-letters/bulk-replay.test.ts';
const REPLAYS_SQL = 'src/operations/dead-letters/replays.sql.ts';

/** Repairs by hand. */
export const DEAD_LETTERS = [
  {
    name: 'conditional-replay',
    promise: 'Of many who replay one letter at once one does, also beside a retry.',
    file: 'src/flow/work/dead-letters.sql.ts',
    text: `work.status = 'dead' AND work.wake = $3 AND work.fence = $4
     RETURNING work.wake`,
    replacement: `$3::bigint IS NOT NULL AND $4::bigint IS NOT NULL
     RETURNING work.wake`,
    test: {
      file: 'test/integration/dead-letters/replay-event.test.ts',
      title: 'is processed under its own key, once, however many ask for it',
    },
  },
  {
    name: 'the-letter-that-was-seen',
    promise: 'A person repairs the letter that they looked at and no later one.',
    file: 'src/operations/dead-letters/replay-letter.ts',
    text: 'checkTag(letter, wish.ifMatch);',
    replacement: '',
    test: {
      file: 'test/integration/dead-letters/replay-event.test.ts',
      title: 'a dry run, and a tag of another state of the letter, change nothing',
    },
  },
  {
    name: 'webhook-replay-holds-the-letter',
    promise: 'A webhook that was discarded is not replayed, and one that is being replayed is not discarded.',
    file: 'src/operations/dead-letters/replay-webhook.ts',
    text: 'if (!(await this.letters.lock(tx, letter))) return undefined;',
    replacement: '',
    test: {
      file: 'test/integration/dead-letters/replay-webhook.test.ts',
      title: 'that was discarded since it was looked at is not replayed',
    },
  },
  {
    name: 'refused-part-spares-the-others',
    promise: 'A part of a webhook that the database refuses takes nothing from the other parts.',
    file: 'src/flow/inbox/inbox.service.ts',
    text: "if (fault === 'item') await before.rollBack();",
    replacement: '',
    test: {
      file: 'test/integration/dead-letters/replay-webhook.test.ts',
      title: 'keeps a part that the database refuses as a letter, and the others are remembered, in their order',
    },
  },
  {
    name: 'edit-ends-the-letter',
    promise: 'A letter that was edited is never processed as it was.',
    file: 'src/flow/work/dead-letters.sql.ts',
    text: `DELETE FROM work
      WHERE work.kind = $1 AND work.key = $2 AND work.status = 'dead'`,
    replacement: `UPDATE work SET topic = work.topic
      WHERE work.kind = $1 AND work.key = $2 AND work.status = 'dead'`,
    test: {
      file: 'test/integration/dead-letters/edit-and-discard.test.ts',
      title: 'goes on as an event of its own, once, and no digit is lost; the letter ends as edited',
    },
  },
  {
    name: 'lease-of-a-bulk-replay',
    promise: 'A step of a bulk replay is taken by one process at a time.',
    file: REPLAYS_SQL,
    text: `UPDATE replays SET next_step_at = now() + $1 * interval '1 ms'`,
    replacement: `UPDATE replays SET next_step_at = now() + 0 * $1 * interval '1 ms'`,
    test: { file: BULK, title: 'leaves a step to the process that has it, until its lease is over' },
  },
  {
    name: 'each-letter-once',
    promise:
      'A bulk replay counts and replays each letter once, also where two processes believe that it is their turn.',
    file: REPLAYS_SQL,
    text: `AND (replays.after_dead_at IS NULL OR (replays.after_dead_at, replays.after_key) < ($2, $3))`,
    replacement: `AND $2::timestamptz IS NOT NULL AND $3::text IS NOT NULL`,
    test: { file: BULK, title: 'counts each letter once, also when two processes believe that a step is theirs' },
  },
  {
    name: 'a-cancelled-replay-stops',
    promise: 'A bulk replay that was cancelled in the middle of a step touches no further letter.',
    file: REPLAYS_SQL,
    text: `WHERE replays.replay_id = $1 AND replays.status = 'running'
        AND (`,
    replacement: `WHERE replays.replay_id = $1
        AND (`,
    test: { file: BULK, title: 'that is cancelled in the middle of a step touches no further letter' },
  },
  {
    name: 'letters-of-its-beginning',
    promise: 'What dies again is not replayed again by the same bulk replay.',
    file: 'src/operations/dead-letters/dead-letters.sql.ts',
    text: 'WHERE ${MEANT} AND work.dead_at <= $11',
    replacement: 'WHERE ${MEANT} AND $11::timestamptz IS NOT NULL',
    test: { file: BULK, title: 'does not replay twice what dies again' },
  },
];
