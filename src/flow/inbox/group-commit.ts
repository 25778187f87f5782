/** So many items, of so much weight altogether; what a weight means is the caller's matter. */
export interface Load {
  readonly count: number;
  readonly weight: number;
}

/**
 * Commits what arrives together in one go. While one group is on its way to the disk the next one gathers, so the
 * groups are as wide as the load needs and a lone item never waits for company. One group at a time: a second one
 * beside it makes both narrower, and every commit has its price (measured at 64 connections: a tenth fewer events).
 */
export class GroupCommit<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private waitingWeight = 0;
  private isUnderWay = false;

  /**
   * @param commit makes the group durable; answers line up with the items
   * @param groupMax what one group holds at most; an item that is heavier than that goes alone
   * @param waitingMax what may wait for a group; the last item that is let in may exceed the weight
   */
  constructor(
    private readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly groupMax: Load,
    private readonly waitingMax: Load,
  ) {}

  /** Whether so much waits already that nothing more should be submitted. */
  get isFull(): boolean {
    return this.waiting.length >= this.waitingMax.count || this.waitingWeight >= this.waitingMax.weight;
  }

  /** Settles when the group that holds the item was committed or failed. */
  submit(item: Item, weight: number): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.waiting.push({ item, weight, resolve, reject });
      this.waitingWeight += weight;
      if (this.waiting.length === 1) setImmediate(() => this.startGroup());
    });
  }

  private startGroup(): void {
    if (this.isUnderWay || this.waiting.length === 0) return;
    this.isUnderWay = true;
    void this.run(this.takeGroup());
  }

  /** The first item whatever it weighs, and as many of the following as fit beside it. */
  private takeGroup(): readonly Waiting<Item, Result>[] {
    let width = 0;
    let groupWeight = 0;
    for (const { weight } of this.waiting) {
      const isTooMuch = width === this.groupMax.count || groupWeight + weight > this.groupMax.weight;
      if (width > 0 && isTooMuch) break;
      width += 1;
      groupWeight += weight;
    }
    this.waitingWeight -= groupWeight;
    return this.waiting.splice(0, width);
  }

  private async run(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.commit(group.map(({ item }) => item));
      group.forEach(({ resolve, reject }, at) => {
        const result = results[at];
        if (result === undefined) reject(new Error('A group commit gave fewer answers than it had items.'));
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      this.isUnderWay = false;
      this.startGroup();
    }
  }
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly weight: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
