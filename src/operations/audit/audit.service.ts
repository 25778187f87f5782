import { Injectable } from '@nestjs/common';
import { uuidV7 } from '../../domain/ids.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import type { Tx } from '../../platform/database/database.js';
import { Credentials } from '../../platform/http/credentials.js';
import { renderJson, type Renderable } from '../../platform/http/render-json.js';
import { insertAudit } from './audit.sql.js';

/** What a person did by hand, to what, and why. */
export interface Deed {
  /** The name of the access key. */
  readonly actor: string;
  /** What was acted on and how, such as `dead_letter.replay`. */
  readonly action: string;
  /** The id of what was acted on. */
  readonly subject: string;
  readonly reason: string;
  readonly correlationId?: string | undefined;
  readonly before?: Renderable;
  readonly after?: Renderable;
}

/** The record of repairs by hand. Owns `audit`; rows are only ever added. */
@Injectable()
export class AuditService {
  constructor(
    private readonly clock: DatabaseClock,
    private readonly credentials: Credentials,
  ) {}

  /** In the transaction of the deed itself. Credentials of ours that stand in a text are struck out. */
  async record(tx: Tx, deed: Deed): Promise<void> {
    const kept = (value: Renderable): string => this.credentials.withoutSecretsInJson(renderJson(value));
    await insertAudit(tx, {
      audit_id: uuidV7(this.clock.nowMs()),
      actor: deed.actor,
      action: deed.action,
      subject: deed.subject,
      reason: this.credentials.withoutSecrets(deed.reason),
      correlation_id: deed.correlationId ?? null,
      before: deed.before === undefined ? null : kept(deed.before),
      after: deed.after === undefined ? null : kept(deed.after),
    });
  }
}
