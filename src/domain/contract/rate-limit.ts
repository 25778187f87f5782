/** `max` at once, and as many again every `perMs`, evenly. */
export interface RateLimit {
  readonly max: number;
  readonly perMs: number;
}
