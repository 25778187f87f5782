import { Inject, Injectable } from '@nestjs/common';
import type { Contract, System } from '../../domain/contract/contract.js';
import type { Reception } from '../../domain/envelope/complete-event.js';
import type { ReceivedEvent } from '../../domain/event.js';
import type { Explanation } from '../../domain/explain/explain-event.js';
import { explainPayload, type ExplainedPayload } from '../../domain/explain/explain-payload.js';
import type { KeyWarning } from '../../domain/explain/key-warnings.js';
import { uuidV7 } from '../../domain/ids.js';
import { quoted } from '../../domain/quoted.js';
import { InboxService } from '../../flow/inbox/inbox.service.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { Database } from '../../platform/database/database.js';
import type { ExplainWish } from './explain-request.js';
import { countKeyConflicts, findOtherKeys } from './explain.sql.js';

/** What a payload would be answered, and why. Nothing of it is stored. */
export type Explained =
  | ({ readonly verdict: 'accepted' | 'duplicate' | 'conflict'; readonly event_id?: string } & Explanation)
  | { readonly verdict: 'refused' | 'unmatched'; readonly code: string; readonly detail: string; readonly at?: string }
  | { readonly verdict: 'answered'; readonly status: number; readonly text: string };

/** The elements of a list are much alike. */
const EXPLAINED_MAX = 20;

/** Says what the door would make of a payload. */
@Injectable()
export class ExplainService {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly database: Database,
    private readonly clock: DatabaseClock,
    private readonly inbox: InboxService,
  ) {}

  /** One explanation for each event in it, of a long list for the first ones. */
  async explain({ system, payload }: ExplainWish): Promise<{ results: readonly Explained[]; leftOff: number }> {
    const items = explainPayload(payload, this.receptionOf(system));
    const results: Explained[] = [];
    // One after the other: who asks has time, and the door needs the connections.
    for (const item of items.slice(0, EXPLAINED_MAX)) results.push(await this.foretell(item));
    return { results, leftOff: items.length - results.length };
  }

  private async foretell(item: ExplainedPayload): Promise<Explained> {
    if (item.kind === 'answered') return { verdict: 'answered', status: item.status, text: item.text };
    if (item.kind !== 'event') {
      const { kind: verdict, code, detail, at } = item;
      return { verdict, code, detail, ...(at === undefined ? {} : { at }) };
    }
    const { event, explanation } = item;
    const foreseen = await this.inbox.foresee(event);
    const warnings = [...explanation.warnings, ...(await this.historyWarnings(event))];
    return {
      verdict: foreseen.kind,
      ...(foreseen.kind === 'accepted' ? {} : { event_id: foreseen.eventId }),
      ...explanation,
      warnings,
    };
  }

  /** What became of keys that were made like this one. */
  private async historyWarnings(event: ReceivedEvent): Promise<readonly KeyWarning[]> {
    const { source, eventType, entity, fingerprint, idempotencyKey } = event;
    const conflicts = await countKeyConflicts(this.database, source, eventType);
    const others = await findOtherKeys(this.database, {
      source,
      event_type: eventType,
      system: entity.system,
      entity_type: entity.type,
      external_id: entity.externalId,
      fingerprint,
      idempotency_key: idempotencyKey,
    });
    return [...aboutConflicts(conflicts), ...aboutOtherKeys(others)];
  }

  private receptionOf(source: System): Reception {
    return {
      contract: this.contract,
      source,
      correlationId: uuidV7(this.clock.nowMs()),
      traceparent: undefined,
      nowMicros: this.clock.nowMicros(),
    };
  }
}

function aboutConflicts(conflicts: number): readonly KeyWarning[] {
  if (conflicts === 0) return [];
  const message = `keys of this event type were used for other content ${String(conflicts)} times already: different facts share them`;
  return [{ kind: 'too_coarse', message }];
}

function aboutOtherKeys(keys: readonly string[]): readonly KeyWarning[] {
  const [first] = keys;
  if (first === undefined) return [];
  const message = `the same content about the same record came before under ${quoted(first)}: one fact has several keys`;
  return [{ kind: 'too_fine', message }];
}
