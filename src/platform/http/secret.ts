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
  /** Where the secret that was shown is laid out, over and over. */
  private readonly shownFrame: Buffer;

  constructor(secrets: readonly string[]) {
    this.frameBytes = Math.max(FRAME_BYTES_MIN, ...secrets.map((secret) => Buffer.byteLength(secret)));
    this.shownFrame = this.emptyFrame();
    this.frames = secrets.map((secret) => layOut(secret, this.emptyFrame()));
  }

  /** The position of the secret that is equal, or -1. */
  indexOf(shown: string): number {
    if (Buffer.byteLength(shown) > this.frameBytes) return -1;
    const frame = layOut(shown, this.shownFrame);
    let found = -1;
    this.frames.forEach((accepted, at) => {
      if (timingSafeEqual(frame, accepted)) found = at;
    });
    return found;
  }

  private emptyFrame(): Buffer {
    return Buffer.alloc(LENGTH_BYTES + this.frameBytes);
  }
}

const LENGTH_BYTES = 4;

/** The secret's length and its bytes, filled up to one size: no secret is the beginning of another one's frame. */
function layOut(secret: string, frame: Buffer): Buffer {
  const length = frame.write(secret, LENGTH_BYTES, 'utf8');
  frame.writeUInt32LE(length, 0);
  return frame.fill(0, LENGTH_BYTES + length);
}
