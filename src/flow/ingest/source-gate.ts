import { Inject, Injectable } from '@nestjs/common';
import type { Contract, IngestAuth, System } from '../../domain/contract/contract.js';
import { SyncError } from '../../domain/sync-error.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { Credentials } from '../../platform/http/credentials.js';
import { cloudEventMode } from '../../platform/http/raw-body.js';
import { isSigned } from './verify-signature.js';
import type { Incoming } from '../../platform/http/exchange.js';

/** Says which system sent a request, on its raw bytes and before anything of it is read or stored. */
@Injectable()
export class SourceGate {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly credentials: Credentials,
    private readonly clock: DatabaseClock,
  ) {}

  /**
   * For a route that names the system.
   *
   * @throws SyncError `resource.not_found` for a system that does not send, `access.denied` for an access key, or
   *   `auth.failed` with one text for every other reason
   */
  admitTo(systemName: string, request: Incoming): System {
    const system = this.contract.systems.get(systemName);
    if (system?.ingest === undefined) {
      throw new SyncError('resource.not_found', 'The contract names no such system that sends.');
    }
    if (system.ingest.auth.some((auth) => this.isShown(auth, system, request))) return system;
    throw this.refusal(request);
  }

  /**
   * For a route that does not name the system: an api-key or a password identifies it, a signature is checked against
   * the system named in `X-Crosswalk-Source`.
   *
   * @throws SyncError `auth.failed`, or `access.denied` for an access key, which may not send events, and for a
   *   signature that leaves a part of the event uncovered
   */
  admit(request: Incoming): System {
    const known = this.credentials.systemOf(request);
    if (known !== undefined) return known;
    const named = request.headers['x-crosswalk-source'];
    const system = typeof named === 'string' ? this.contract.systems.get(named) : undefined;
    const shown = system?.ingest?.auth.find((auth) => this.isShown(auth, system, request));
    if (system === undefined || shown === undefined) throw this.refusal(request);
    refuseUnsignedParts(request, shown);
    return system;
  }

  private refusal(request: Incoming): SyncError {
    if (this.credentials.accessKeyOf(request) === undefined) return failed();
    return new SyncError('access.denied', 'An access key is for people; events are sent with a system’s credential.');
  }

  private isShown(auth: IngestAuth, system: System, request: Incoming): boolean {
    if (auth.scheme !== 'signature') return this.credentials.systemOf(request) === system;
    return isSigned(request, auth, { nowMs: this.clock.nowMs(), publicUrl: system.ingest?.publicUrl });
  }
}

/**
 * A signature covers the body, and of the headers those that the contract names. Whoever overhears one request could
 * send its body again under another key, or in binary mode as another event about another record.
 */
function refuseUnsignedParts(request: Incoming, auth: IngestAuth): void {
  if (auth.scheme !== 'signature') return;
  const isCovered = auth.signed.some((part) => part.kind === 'header' && part.name === 'idempotency-key');
  if (request.headers['idempotency-key'] !== undefined && !isCovered) {
    const detail =
      'The signature does not cover the `Idempotency-Key` header; send the key as `idempotency_key` in the body.';
    throw new SyncError('access.denied', detail);
  }
  if (cloudEventMode(request) !== 'binary') return;
  const detail =
    'A signature covers the body alone, and in binary mode the parts of a CloudEvent stand in headers; ' +
    'send it in structured mode, or show an API key.';
  throw new SyncError('access.denied', detail);
}

/** One text for everything, so that nobody can find out what was nearly right. */
function failed(): SyncError {
  return new SyncError('auth.failed', 'No valid credential of a system was shown.');
}
