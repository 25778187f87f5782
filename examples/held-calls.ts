/** Calls that stand still until the test lets them go, so that a race has one order and no clock decides it. */
export class HeldCalls {
  private waiting: (() => void)[] = [];

  hold(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  get count(): number {
    return this.waiting.length;
  }

  /** Lets the oldest ones go, or all of them. Returns how many went. */
  release(count: number = this.waiting.length): number {
    const released = this.waiting.splice(0, count);
    for (const go of released) go();
    return released.length;
  }
}
