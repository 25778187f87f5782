/**
 * Loaded before a process (`node --import`), it moves that process's wall clock by CLOCK_SKEW_MS. The monotonic clock
 * and the timers go on as they are, as on a machine whose clock is wrong.
 */
const skewMs = Number(process.env.CLOCK_SKEW_MS);
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + skewMs);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + skewMs;
  }
};
