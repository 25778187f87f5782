import type { Call } from './call-log.js';
import type { FaultRule } from './fault-rule.js';
import type { Job } from './jobs.js';
import type { Change, Collection, StoredRecord, SystemName } from './record-store.js';
import type { Settings } from './settings.js';
import type { SentWebhook } from './webhooks.js';

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

  /** Changes the settings that are named; the others stay. */
  async changeSettings(settings: Partial<Settings>): Promise<void> {
    await this.ask('POST', '/_control/settings', JSON.stringify(settings));
  }

  /** Every write in the order in which it was carried out. */
  async changes(): Promise<readonly Change[]> {
    return (await this.ask('GET', '/_control/changes')).json() as Promise<readonly Change[]>;
  }

  /** The largest number of calls that arrived within any stretch of `windowMs`. */
  async mostArrivals(windowMs: number): Promise<number> {
    const answer = await this.ask('GET', `/_control/arrivals?window_ms=${windowMs}`);
    return ((await answer.json()) as { most: number }).most;
  }

  /** How many tokens and sessions were given out. */
  async logins(): Promise<number> {
    return ((await (await this.ask('GET', '/_control/logins')).json()) as { logins: number }).logins;
  }

  /** Ends every token and session; returns how many were good. */
  async revoke(): Promise<number> {
    return ((await (await this.ask('POST', '/_control/revoke')).json()) as { revoked: number }).revoked;
  }

  /** How many calls stand still because of `hold`, `late_answer` or `late_body`. */
  async held(): Promise<number> {
    return ((await (await this.ask('GET', '/_control/held')).json()) as { held: number }).held;
  }

  /** Lets the oldest held calls go on, or all of them. */
  async release(count?: number): Promise<void> {
    await this.ask('POST', `/_control/release${count === undefined ? '' : `?count=${count}`}`);
  }

  async jobs(): Promise<readonly Job[]> {
    return (await this.ask('GET', '/_control/jobs')).json() as Promise<readonly Job[]>;
  }

  /** Ends a pending job, well or with a reason. Resolves when the webhook about it was answered. */
  async endJob(jobId: string, refused?: string): Promise<void> {
    await this.ask('POST', `/_control/jobs/${jobId}`, JSON.stringify(refused === undefined ? {} : { refused }));
  }

  async webhooks(): Promise<readonly SentWebhook[]> {
    return (await this.ask('GET', '/_control/webhooks')).json() as Promise<readonly SentWebhook[]>;
  }

  /** As it was when it started: records, keys, calls, faults, jobs, tokens and settings. */
  async reset(): Promise<void> {
    await this.ask('POST', '/_control/reset');
  }

  private async ask(method: string, path: string, body?: string): Promise<Response> {
    const answer = await fetch(`${this.url}${path}`, { method, ...(body === undefined ? {} : { body }) });
    if (!answer.ok) throw new Error(`${method} ${this.url}${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  }
}
