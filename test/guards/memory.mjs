const FIRST_COPIES = 'test/integration/inbox/first-copies.test.ts';
const KEY_CONFLICT = {
  file: 'test/integration/inbox/key-conflict.test.ts',
  title: 'keeps the first, and makes each other content one event and one question, however often it comes',
};
const INBOX = 'src/flow/inbox/inbox.service.ts';
const INBOX_SQL = 'src/flow/inbox/inbox.sql.ts';

/** One fact, one event: keys, fingerprints, groups, and the map of ids. */
export const MEMORY = [
  {
    name: 'fingerprint-of-a-copy',
    promise: 'Other content under a used key is never taken for a copy.',
    file: 'src/flow/inbox/same-fact.ts',
    text: 'if (original.fingerprint === fingerprint) return true;',
    replacement: `if (original.event_id !== '') return true;`,
    test: KEY_CONFLICT,
  },
  {
    name: 'key-conflict',
    promise: 'Other content under a used key is kept and put before a person.',
    file: INBOX,
    text: 'const conflict = await insertOrFindOriginal(conflictingRow(row, eventId));',
    replacement: 'const conflict = undefined as OriginalRow | undefined;',
    test: KEY_CONFLICT,
  },
  {
    name: 'one-conflict-per-content',
    promise: 'However often the same other content comes, it is one event and one question.',
    file: 'src/flow/inbox/event-row.ts',
    text: 'key: composeKey([first, row.fingerprint])',
    replacement: 'key: composeKey([first, row.event_id])',
    test: KEY_CONFLICT,
  },
  {
    name: 'key-on-conflict-do-nothing',
    promise: 'Of copies that come at once one is the event and the others are told so.',
    file: INBOX_SQL,
    text: `ON CONFLICT DO NOTHING
       RETURNING event_id`,
    replacement: 'RETURNING event_id',
    test: { file: FIRST_COPIES, title: 'in one group are one event' },
  },
  {
    name: 'second-statement',
    promise: 'Who lost a key reads its winner in a statement of its own, which sees what came meanwhile.',
    file: INBOX,
    text: 'losers.length === 0 ? [] : await findOriginals(tx, losers)',
    replacement: 'losers.length === 0 ? [] : []',
    test: { file: FIRST_COPIES, title: 'in one group are one event' },
  },
  {
    name: 'keys-in-one-order',
    promise: 'Two groups with the same keys wait for each other and never in a circle.',
    file: INBOX_SQL,
    text: 'JSON.stringify(rows.toSorted(byKey))',
    replacement: 'JSON.stringify(rows)',
    test: {
      file: 'src/flow/inbox/inbox.sql.spec.ts',
      title: 'hands over its rows by scope and key, and copies in the order of their arrival',
    },
  },
  {
    name: 'group-halving',
    promise: 'An event that PostgreSQL refuses harms nobody who came with it.',
    file: INBOX,
    text: 'if (rows.length === 1) return [',
    replacement: `if (rows.length > 1) return rows.map(() => ({ kind: 'refused', error: refusalOfOne(error) }));
      if (rows.length === 1) return [`,
    test: {
      file: 'test/integration/inbox/group-split.test.ts',
      title: 'never harms its group: the others are accepted, and it alone is told',
    },
  },
  {
    name: 'blocked-group-is-halved',
    promise: 'A key that a frozen process holds makes its own event wait and no other.',
    file: 'src/platform/database/database-fault.ts',
    text: `'55P03', `,
    replacement: '',
    test: {
      file: 'test/integration/inbox/blocked-key.test.ts',
      title: 'makes its own event wait and no other: 503, and the event is accepted once the key is free',
    },
  },
  {
    name: 'mapping-on-conflict-do-nothing',
    promise: 'Of first sights of one external id at once, one makes the mapping and the others take it.',
    file: 'src/flow/id-map/id-map.sql.ts',
    text: `ORDER BY row.system, row.entity_type, row.external_id
     ON CONFLICT DO NOTHING`,
    replacement: 'ORDER BY row.system, row.entity_type, row.external_id',
    test: {
      file: 'test/integration/id-map/first-sight.test.ts',
      title: 'by twenty transactions of two processes at once makes one mapping',
    },
  },
  {
    name: 'winner-of-a-first-sight',
    promise: 'Who lost a first sight goes on with the entity of the winner.',
    file: 'src/flow/id-map/id-map.service.ts',
    text: 'new Map([...known, ...(await readKnown(tx, unknown))])',
    replacement:
      'new Map([...known, ...newMappings.map(({ id, internalId }) => [identityKey(id), internalId] as const)])',
    test: {
      file: 'test/integration/id-map/first-sight.test.ts',
      title: 'by twenty transactions of two processes at once makes one mapping',
    },
  },
];
