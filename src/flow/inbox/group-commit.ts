/**
 * Commits what arrives together in one go. While one group is on its way to the disk the next one gathers, so the
 * groups are as wide as the load needs and a lone item never waits for company.
 */
export class GroupCommit<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private inFlight = 0;

  /**
   * @param commit makes the group durable; answers line up with the items
   * @param widthMax most items in one group
   * @param inFlightMax groups on their way at once
   */
  constructor(
    private readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly widthMax: number,
    private readonly inFlightMax: number,
  ) {}

  /** Items that no group has taken yet. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  /** Settles when the group that holds the item was committed or failed. */
  submit(item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (this.waiting.length === 1) setImmediate(() => this.startGroups());
    });
  }

  private startGroups(): void {
    while (this.waiting.length > 0 && this.inFlight < this.inFlightMax) {
      const group = this.waiting.splice(0, this.widthMax);
      this.inFlight++;
      void this.run(group);
    }
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
      this.inFlight--;
      this.startGroups();
    }
  }
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
