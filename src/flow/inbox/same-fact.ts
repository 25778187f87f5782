import { Inject, Injectable } from '@nestjs/common';
import type { Contract } from '../../domain/contract/contract.js';
import { fingerprintOf } from '../../domain/envelope/fingerprint.js';
import { readEventLinks } from '../../domain/event-links.js';
import type { ReceivedEvent } from '../../domain/event.js';
import { isJsonObject } from '../../domain/json/json.js';
import { readJson } from '../../domain/json/read-json.js';
import { CONTRACT, CONTRACT_NUMBER } from '../../platform/config/contract-token.js';
import type { Tx } from '../../platform/database/database.js';
import type { AcceptedEvent } from './accepted-event.js';
import { findEventsById, type OriginalRow } from './inbox.sql.js';

/**
 * Tells a copy from other content under a used key. A fingerprint depends on what the contract calls ids, references and
 * volatile, so that a contract that says more about them would make a conflict of every copy that comes after it.
 */
@Injectable()
export class SameFact {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    @Inject(CONTRACT_NUMBER) private readonly contractNumber: number,
  ) {}

  /** Looks at the stored event itself only where another contract read it and the fingerprints differ. */
  async isCopy(tx: Tx, { fingerprint }: ReceivedEvent, original: OriginalRow): Promise<boolean> {
    if (original.fingerprint === fingerprint) return true;
    const [stored] = await findEventsById(tx, [original.event_id]);
    if (stored === undefined || stored.contract === this.contractNumber) return false;
    return this.fingerprintOfToday(stored) === fingerprint;
  }

  private fingerprintOfToday(stored: AcceptedEvent): string | undefined {
    const { system, entity_type: type, external_id: externalId, links } = stored;
    const source = this.contract.systems.get(stored.source);
    const eventType = this.contract.eventTypes.get(stored.event_type ?? '');
    const { value: payload } = readJson(stored.payload);
    if (source === undefined || eventType === undefined || !isJsonObject(payload)) return undefined;
    if (system === null || type === null || externalId === null) return undefined;
    const entity = { system, type, externalId, rawExternalId: stored.raw_external_id ?? externalId };
    const version = stored.version ?? undefined;
    const told = links === null ? undefined : readEventLinks(links, entity);
    const { state, expected_state: expectedState } = stored;
    const states = { state: state ?? undefined, expectedState: expectedState ?? undefined };
    return fingerprintOf({ eventType, entity, links: told, version, ...states, payload }, source);
  }
}
