import type { Contract, System } from '../../domain/contract/contract.js';
import { isSafeCorrelationId } from '../../domain/correlation-id.js';
import type { Reception } from '../../domain/envelope/complete-event.js';
import type { PartPlaces } from '../../domain/envelope/part-places.js';
import { uuidV7 } from '../../domain/ids.js';
import { parseTraceparent } from '../../domain/traceparent.js';
import { SyncError } from '../../domain/sync-error.js';
import type { DatabaseClock } from '../../platform/database/database-clock.js';
import { rawBody } from '../../platform/http/raw-body.js';
import type { Incoming } from '../../platform/http/exchange.js';

/** What a request brings along beside its body. */
export function receptionOf(request: Incoming, contract: Contract, source: System, clock: DatabaseClock): Reception {
  const asked = single(request.headers['x-correlation-id']);
  const correlationId = isSafeCorrelationId(asked) ? asked : uuidV7(clock.nowMs());
  const traceparent = single(request.headers['traceparent']);
  return {
    contract,
    source,
    correlationId,
    traceparent: parseTraceparent(traceparent) === undefined ? undefined : traceparent,
    nowMicros: clock.nowMicros(),
  };
}

/** The `Idempotency-Key` header as text. HTTP carries bytes; ours are UTF-8, whatever Node made of them. */
export function headerKey(request: Incoming, { idempotencyKey: at }: PartPlaces): string | undefined {
  // Looked at first, because telling the lines of all headers apart costs more than the rest of the reception.
  if (request.headers['idempotency-key'] === undefined) return undefined;
  const [header = '', ...others] = request.raw.headersDistinct['idempotency-key'] ?? [];
  if (others.length > 0) {
    throw new SyncError('key.invalid', 'The `Idempotency-Key` header stands twice.', { at });
  }
  const decoded = Buffer.from(header, 'latin1').toString('utf8');
  if (!decoded.includes('\uFFFD')) return decoded;
  throw new SyncError('key.invalid', 'The `Idempotency-Key` header is not UTF-8.', { at });
}

/** @throws SyncError `body.too_large` */
export function checkBodySize(request: Incoming, bytesMax: number): void {
  const bytes = rawBody(request).length;
  if (bytes <= bytesMax) return;
  const detail = `The body has ${String(bytes)} bytes; at most ${String(bytesMax)} are read.`;
  throw new SyncError('body.too_large', detail);
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
