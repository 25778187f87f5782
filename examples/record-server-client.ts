import type { Call } from './call-log.js';
import type { FaultRule } from './fault-rule.js';
import type { Collection, StoredRecord, SystemName } from './record-store.js';

/** The control plane of a sample system, for demos and tests; `url` is where the system listens. */
export class RecordServerClient {
  constructor(readonly url: string) {}

  /** Which sample system answers here, or undefined where nothing of the kind does. */
  async system(): Promise<SystemName | undefined> {
    try {
      const answer = await fetch(`${this.url}/_control`, { signal: AbortSignal.timeout(2000) });
      const { system } = (await answer.json()) as { system?: unknown };
      return system === 'erp' || system === 'wms' ? system : undefined;
    } catch {
      return undefined;
    }
  }

  async calls(): Promise<readonly Call[]> {
    return (await this.ask('GET', '/_control/calls')).json() as Promise<readonly Call[]>;
  }

  async clearCalls(): Promise<void> {
    await this.ask('DELETE', '/_control/calls');
  }

  async records(collection: Collection): Promise<readonly StoredRecord[]> {
    const all = (await (await this.ask('GET', '/_control/records')).json()) as Record<Collection, StoredRecord[]>;
    return all[collection];
  }

  /** The JSON text that was last written to a record, as it arrived. */
  async rawBody(collection: Collection, id: string): Promise<string> {
    return (await this.ask('GET', `/_raw/${collection}/${encodeURIComponent(id)}`)).text();
  }

  /** Replaces the whole fault script; an empty list ends all faults. */
  async scriptFaults(rules: readonly FaultRule[]): Promise<void> {
    await this.ask('POST', '/_control/faults', JSON.stringify(rules));
  }

  /** Forgets records, idempotency keys, calls and faults. */
  async reset(): Promise<void> {
    await this.ask('POST', '/_control/reset');
  }

  private async ask(method: string, path: string, body?: string): Promise<Response> {
    const answer = await fetch(`${this.url}${path}`, { method, ...(body === undefined ? {} : { body }) });
    if (!answer.ok) throw new Error(`${method} ${this.url}${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  }
}
