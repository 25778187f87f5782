import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CrosswalkClient } from '../support/crosswalk-client.js';
import { eventually } from '../support/eventually.js';
import type { Installation } from '../support/installation.js';
import { sendFact, stockAdjusted } from './facts.js';
import { Freezing } from './freezing.js';

/** Fault 13, in the transactions in which people repair. */
describe('a process frozen at each step of a repair hinders no other, and one repair counts', () => {
  let freezing: Freezing;
  let crosswalk: Installation;

  beforeAll(async () => {
    const contract = 'test/faults/faults-contract.yaml';
    freezing = await Freezing.start({ contract, roles: [], victim: 'all', bystander: 'all' });
    crosswalk = freezing.crosswalk;
  }, 300_000);

  afterAll(() => freezing.stop());

  const ofVictim = (): CrosswalkClient => crosswalk.clientOf(freezing.victim.service);
  const ofBystander = (): CrosswalkClient => crosswalk.clientOf(freezing.bystander.service);

  const letterOf = async (id: string): Promise<string> => {
    const [event] = await crosswalk.query<{ event_id: string }>(
      `SELECT event_id FROM events WHERE external_id = $1 ORDER BY event_id LIMIT 1`,
      [id],
    );
    return event?.event_id ?? '';
  };

  const stands = async (eventId: string, status: string): Promise<unknown> =>
    eventually(async () => expect(await ofBystander().event(eventId)).toMatchObject({ status }));

  /** What is no number cannot be added: the event is given up at its first attempt. */
  async function kill(id: string): Promise<void> {
    await sendFact(ofBystander(), stockAdjusted(id, 1, { delta: 'much' }));
    await stands(await letterOf(id), 'DEAD');
  }

  /** Replayed once, and given up once more. */
  async function diedAnew(letterId: string): Promise<void> {
    await eventually(async () => {
      const { trace } = await ofBystander().event(letterId);
      const ends = trace.map(({ status }) => status).filter((status) => ['DEAD', 'REPLAYED'].includes(status));
      expect(ends).toEqual(['DEAD', 'REPLAYED', 'DEAD']);
    });
  }

  /** Freezes the victim while it does a repair that is asked for twice, of it and of the bystander. */
  async function repairTwice(
    isIt: (texts: string) => boolean,
    repair: (client: CrosswalkClient, letterId: string, tag: string) => Promise<{ readonly status: number }>,
    endsAs: string,
  ): Promise<number> {
    const answers = new Map<string, Promise<number>>();
    const tags = new Map<string, string>();
    const successes = async (id: string): Promise<readonly number[]> =>
      (await Promise.all([answers.get(`victim ${id}`), answers.get(`bystander ${id}`)])).filter(
        (status = 599) => status < 400,
      ) as number[];
    return freezing.freezeAtEachStep(isIt, {
      prepare: async (id) => {
        await kill(id);
        tags.set(id, await ofBystander().letterTag(await letterOf(id)));
      },
      begin: async (id) => {
        const letterId = await letterOf(id);
        const asked = repair(ofVictim(), letterId, tags.get(id) ?? '').then(({ status }) => status);
        answers.set(`victim ${id}`, asked);
        return letterId;
      },
      isDone: async (id) => answers.get(`victim ${id}`),
      meanwhile: async (id, letterId) => {
        answers.set(
          `bystander ${id}`,
          Promise.resolve((await repair(ofBystander(), letterId, tags.get(id) ?? '')).status),
        );
        await stands(letterId, endsAs);
      },
      atTheEnd: async (id, letterId) => {
        expect(await successes(id)).toHaveLength(1);
        if (endsAs === 'DEAD') await diedAnew(letterId);
        await stands(letterId, endsAs);
        expect(await ofBystander().audit(`subject=${letterId}`)).toHaveLength(1);
      },
    });
  }

  test('a replay', async () => {
    const steps = await repairTwice(
      (texts) => texts.includes(`SET status = 'due'`) && texts.includes('INSERT INTO audit'),
      async (client, letterId, tag) => client.replayLetter(letterId, tag),
      'DEAD',
    );
    expect(steps).toBeGreaterThan(3);
  }, 300_000);

  test('a discard', async () => {
    const steps = await repairTwice(
      (texts) => texts.includes('DELETE FROM work') && texts.includes('INSERT INTO audit'),
      async (client, letterId) => client.discardLetter(letterId),
      'COMPLETED',
    );
    expect(steps).toBeGreaterThan(3);
  }, 300_000);

  test('an edit', async () => {
    const steps = await repairTwice(
      (texts) => texts.includes('DELETE FROM work') && texts.includes('INSERT INTO idempotency_keys'),
      async (client, letterId) => client.editLetter(letterId, { payload: { delta: 2, of: client.url } }),
      'COMPLETED',
    );
    expect(steps).toBeGreaterThan(5);
  }, 300_000);

  test('a step of a replay of many', async () => {
    const replays = new Map<string, string>();
    const isReplayed = async (client: CrosswalkClient, id: string): Promise<void> =>
      eventually(async () =>
        expect(await client.replay(replays.get(id) ?? '')).toMatchObject({ status: 'done', superseded: 0, failed: 0 }),
      );
    const steps = await freezing.freezeAtEachStep(
      (texts) => texts.includes('UPDATE replays') && texts.includes(`SET status = 'due'`),
      {
        prepare: kill,
        begin: async (id) => {
          const replay = await ofVictim().beginReplay({ filter: { event_type: 'stock.adjusted' }, pace: 50 });
          replays.set(id, replay.replay_id);
          return letterOf(id);
        },
        isDone: async (id) => isReplayed(ofVictim(), id),
        meanwhile: async (id, letterId) => {
          await isReplayed(ofBystander(), id);
          await stands(letterId, 'DEAD');
        },
        atTheEnd: async (_id, letterId) => {
          await diedAnew(letterId);
          expect(await ofBystander().audit(`subject=${letterId}`)).toHaveLength(1);
          await ofBystander().discardLetter(letterId);
        },
      },
    );
    expect(steps).toBeGreaterThan(4);
  }, 300_000);
});
