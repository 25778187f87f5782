import { timingSafeEqual } from 'node:crypto';

const FRAME_BYTES_MIN = 256;

/**
 * Secrets that are accepted. One that was shown is compared with all of them in a time that tells nothing: every
 * comparison runs over a frame of one size, and none ends at the first difference or the first match. Frames instead
 * of digests, because this runs for every request and a digest costs as much as reading the request.
 */
export class SecretList {
  private readonly frameBytes: number;
  private readonly frames: readonly Buffer[];

  constructor(secrets: readonly string[]) {
    this.frameBytes = Math.max(FRAME_BYTES_MIN, ...secrets.map((secret) => Buffer.byteLength(secret)));
    this.frames = secrets.map((secret) => this.frameOf(secret));
  }

  /** The position of the secret that is equal, or -1. */
  indexOf(shown: string): number {
    if (Buffer.byteLength(shown) > this.frameBytes) return -1;
    const frame = this.frameOf(shown);
    let found = -1;
    this.frames.forEach((accepted, at) => {
      if (timingSafeEqual(frame, accepted)) found = at;
    });
    return found;
  }

  /** The secret's length and its bytes, filled up to one size: no secret is the beginning of another one's frame. */
  private frameOf(secret: string): Buffer {
    const frame = Buffer.alloc(this.frameBytes + 4);
    frame.writeUInt32LE(Buffer.byteLength(secret), 0);
    frame.write(secret, 4, 'utf8');
    return frame;
  }
}
