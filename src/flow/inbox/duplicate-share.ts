/** Fewer verdicts than these say nothing. */
const SEEN_MIN = 64;
/** When so many were seen all counts are halved: what is older than a few hundred verdicts hardly counts any more. */
const SEEN_MAX = 512;
const HIGH_FROM = 0.3;
const LOW_BELOW = 0.15;

/**
 * The share of copies among the last few hundred events, and whether it is high. Between the two bounds it stays what it
 * was, so that a share near one of them does not change its mind with every event.
 */
export class DuplicateShare {
  private seen = 0;
  private copies = 0;
  private wasHigh = false;

  get isHigh(): boolean {
    return this.wasHigh;
  }

  add(kind: 'first' | 'copy'): void {
    this.seen++;
    if (kind === 'copy') this.copies++;
    if (this.seen < SEEN_MIN) return;
    const share = this.copies / this.seen;
    this.wasHigh = this.wasHigh ? share >= LOW_BELOW : share >= HIGH_FROM;
    if (this.seen < SEEN_MAX) return;
    this.seen /= 2;
    this.copies /= 2;
  }
}
