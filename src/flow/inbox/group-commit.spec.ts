import { describe, expect, jest, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GroupCommit, type Load } from './group-commit.js';

// An item without an answer would wait for ever.
jest.setTimeout(10_000);

/** Holds every group until it is told how it ends. */
class Disk {
  readonly groups: {
    readonly items: readonly number[];
    readonly succeed: (results?: readonly string[]) => void;
    readonly fail: (error: unknown) => void;
  }[] = [];

  readonly commit = (items: readonly number[]): Promise<readonly string[]> =>
    new Promise((resolve, reject) => {
      const succeed = (results: readonly string[] = items.map((item) => `r${item}`)): void => resolve(results);
      this.groups.push({ items, succeed, fail: reject });
    });

  get items(): (readonly number[])[] {
    return this.groups.map((group) => group.items);
  }
}

/** Lets everything go on that is not waiting for the disk. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await nextTurn();
}

const NO_BOUND: Load = { count: Infinity, weight: Infinity };

function setUp(widthMax: number) {
  const disk = new Disk();
  const commits = new GroupCommit(disk.commit, { count: widthMax, weight: Infinity }, NO_BOUND);
  return { disk, submit: (...items: readonly number[]) => items.map((item) => commits.submit(item, 1)) };
}

describe('a group commit', () => {
  test('takes what arrives together in one go, and a lone item without company', async () => {
    const { disk, submit } = setUp(10);
    const answers = submit(1, 2, 3);
    await settle();
    expect(disk.items).toEqual([[1, 2, 3]]);
    disk.groups[0]?.succeed();
    expect(await Promise.all(answers)).toEqual(['r1', 'r2', 'r3']);
    void submit(4);
    await settle();
    expect(disk.items).toEqual([[1, 2, 3], [4]]);
  });

  test('answers nobody before the commit', async () => {
    const { disk, submit } = setUp(10);
    const settled: string[] = [];
    for (const answer of submit(1, 2)) void answer.then((result) => settled.push(result));
    await settle();
    expect(settled).toEqual([]);
    disk.groups[0]?.succeed();
    await settle();
    expect(settled).toEqual(['r1', 'r2']);
  });

  test('gathers the next group while one is on its way', async () => {
    const { disk, submit } = setUp(10);
    void submit(1);
    await settle();
    void submit(2);
    await settle();
    void submit(3, 4);
    await settle();
    expect(disk.items).toEqual([[1]]);
    disk.groups[0]?.succeed();
    await settle();
    expect(disk.items).toEqual([[1], [2, 3, 4]]);
  });

  test('keeps to the width, one group after the other, in the order of arrival', async () => {
    const { disk, submit } = setUp(2);
    const answers = submit(1, 2, 3, 4, 5);
    const groups = [[1, 2], [3, 4], [5]];
    for (let number = 1; number <= groups.length; number++) {
      await settle();
      expect(disk.items).toEqual(groups.slice(0, number));
      disk.groups[number - 1]?.succeed();
    }
    expect(await Promise.all(answers)).toEqual(['r1', 'r2', 'r3', 'r4', 'r5']);
  });

  test('lets a failure reject its own group and nobody else, and goes on', async () => {
    const { disk, submit } = setUp(2);
    const answers = Promise.allSettled(submit(1, 2, 3, 4));
    await settle();
    const away = new Error('The database is away.');
    disk.groups[0]?.fail(away);
    await settle();
    disk.groups[1]?.succeed();
    expect(await answers).toEqual([
      { status: 'rejected', reason: away },
      { status: 'rejected', reason: away },
      { status: 'fulfilled', value: 'r3' },
      { status: 'fulfilled', value: 'r4' },
    ]);
    void submit(5);
    await settle();
    expect(disk.items).toEqual([[1, 2], [3, 4], [5]]);
  });

  test('goes on after a commit that throws at once', async () => {
    let calls = 0;
    const commits = new GroupCommit<number, number>(
      (items) => {
        if (++calls === 1) throw new Error('at once');
        return Promise.resolve(items);
      },
      NO_BOUND,
      NO_BOUND,
    );
    await expect(commits.submit(1, 1)).rejects.toThrow('at once');
    expect(await commits.submit(2, 1)).toBe(2);
  });

  test('answers an item that got no answer with an error, and not with silence', async () => {
    const { disk, submit } = setUp(10);
    const answers = Promise.allSettled(submit(1, 2));
    await settle();
    disk.groups[0]?.succeed(['r1']);
    expect(await answers).toMatchObject([{ status: 'fulfilled', value: 'r1' }, { status: 'rejected' }]);
  });

  test('gives thousands of items each its own answer', async () => {
    const commits = new GroupCommit<number, string>(
      async (items) => {
        await nextTurn();
        return items.map((item) => `r${item}`);
      },
      { count: 100, weight: 50 },
      NO_BOUND,
    );
    const items = Array.from({ length: 5_000 }, (_, at) => at);
    expect(await Promise.all(items.map((item) => commits.submit(item, 1)))).toEqual(items.map((item) => `r${item}`));
  });

  describe('of items that weigh as much as their number says', () => {
    function setUpHeavy(waitingMax: Load = NO_BOUND) {
      const disk = new Disk();
      const commits = new GroupCommit(disk.commit, { count: 3, weight: 10 }, waitingMax);
      const submit = (...items: readonly number[]): void => {
        for (const item of items) void commits.submit(item, item);
      };
      const succeed = async (number: number): Promise<void> => {
        disk.groups[number]?.succeed();
        await settle();
      };
      return { disk, commits, submit, succeed };
    }

    test('takes as many as may weigh down a group, and one that is heavier than that alone', async () => {
      const { disk, submit, succeed } = setUpHeavy();
      submit(4, 6, 1, 25, 2, 3, 4, 5);
      await settle();
      for (let number = 0; number < 5; number++) await succeed(number);
      expect(disk.items).toEqual([[4, 6], [1], [25], [2, 3, 4], [5]]);
    });

    test('is full by number or by weight until a group has taken of what waits', async () => {
      const { commits, submit, succeed } = setUpHeavy({ count: 4, weight: 20 });
      submit(1);
      await settle();
      submit(6, 6, 6);
      expect(commits.isFull).toBe(false);
      submit(9);
      expect(commits.isFull).toBe(true);
      await succeed(0);
      expect(commits.isFull).toBe(true);
      await succeed(1);
      expect(commits.isFull).toBe(false);
      submit(1, 1);
      expect(commits.isFull).toBe(true);
      for (let number = 2; number < 6; number++) await succeed(number);
      expect(commits.isFull).toBe(false);
    });

    test('has counted its weight right after everything was taken', async () => {
      const { commits, submit, succeed } = setUpHeavy({ count: 100, weight: 20 });
      submit(3, 3, 30, 1);
      expect(commits.isFull).toBe(true);
      await settle();
      for (let number = 0; number < 3; number++) await succeed(number);
      submit(19);
      expect(commits.isFull).toBe(false);
      submit(1);
      expect(commits.isFull).toBe(true);
    });
  });
});
