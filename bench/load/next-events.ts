/** Copies are of one of the last so many events. */
const COPIED_FROM = 2_000;
/** Of copies alone nothing could be copied. */
const OF_TEN = 10;

/**
 * The numbers of the events to send. So many of ten are copies, spread evenly over what was sent before; never of one
 * that may still be on its way, because then the copy would find nobody's memory.
 */
export class NextEvents {
  private sent = 0;
  private fresh = 0;
  private step = 0;

  constructor(
    private readonly copiesOfTen: number,
    private readonly connections: number,
  ) {}

  next(): number {
    const answered = this.fresh - this.connections;
    const isCopy = this.sent++ % OF_TEN < this.copiesOfTen && answered > 0;
    if (!isCopy) return this.fresh++;
    this.step = (this.step + 37) % Math.min(answered, COPIED_FROM);
    return answered - 1 - this.step;
  }
}
