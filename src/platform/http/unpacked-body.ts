import { promisify } from 'node:util';
import { gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import type { ContentEncoding } from '../../domain/contract/contract.js';
import { quoted } from '../../domain/quoted.js';
import { SyncError } from '../../domain/sync-error.js';
import type { Incoming } from './exchange.js';
import { rawBody } from './raw-body.js';

/**
 * The request with its body as it was before it was compressed. Check what was signed before: a signature covers the
 * bytes that arrived.
 *
 * @param encodings those that this sender may use
 * @param bytesMax of the body that comes out; nothing beyond it is unpacked
 * @throws SyncError `body.media_type` for an encoding that is not among them, `body.undecodable` where the bytes are
 *   none of it, `body.too_large`
 */
export async function unpackedBody(
  request: Incoming,
  encodings: readonly ContentEncoding[],
  bytesMax: number,
): Promise<Incoming> {
  const named = request.headers['content-encoding']?.trim().toLowerCase();
  if (named === undefined || named === 'identity') return request;
  const encoding = encodings.find((known) => named === known || named === `x-${known}`);
  if (encoding === undefined) {
    const detail = `The encoding ${quoted(named)} is not read; the contract would allow it under \`content_encodings\`.`;
    throw new SyncError('body.media_type', detail);
  }
  const body = await unpack(rawBody(request), encoding, bytesMax);
  const { 'content-encoding': _encoding, ...headers } = request.headers;
  return { headers, body, raw: request.raw };
}

type Unpack = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;
const gunzipBytes: Unpack = promisify(gunzip);
const inflateBytes: Unpack = promisify(inflate);
const inflateRawBytes: Unpack = promisify(inflateRaw);

async function unpack(bytes: Buffer, encoding: ContentEncoding, bytesMax: number): Promise<Buffer> {
  try {
    return await unpackerOf(bytes, encoding)(bytes, { maxOutputLength: bytesMax });
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw new SyncError('body.too_large', `Unpacked, the body has more than ${String(bytesMax)} bytes.`);
    }
    throw new SyncError('body.undecodable', `The body is not compressed with ${encoding}.`, { cause });
  }
}

/** `deflate` is zlib's format (RFC 9110 §8.4.1.2), but some senders leave its two bytes of header out. */
function unpackerOf(bytes: Buffer, encoding: ContentEncoding): Unpack {
  if (encoding === 'gzip') return gunzipBytes;
  const header = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  const isZlib = (header & 0x0f00) === 0x0800 && header % 31 === 0;
  return isZlib ? inflateBytes : inflateRawBytes;
}
