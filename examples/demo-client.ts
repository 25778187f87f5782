import { signWebhook } from './sign-webhook.js';

/** The answer at the door. */
export interface Receipt {
  readonly event_id: string;
  readonly verdict: string;
  readonly correlation_id?: string;
}

export interface EventView {
  readonly event_id: string;
  /** RECEIVED, PROCESSING, COMPLETED, FAILED, PARKED or DEAD. */
  readonly status: string;
  readonly outcome: string | null;
}

export interface MappingView {
  readonly internal_id: string;
  readonly mappings: readonly {
    readonly system: string;
    /** Null until the system has answered the create. */
    readonly external_id: string | null;
    readonly role: string;
  }[];
}

export interface EntityView {
  readonly data: unknown;
  readonly revision: number;
  readonly deliveries: readonly {
    readonly target: string;
    readonly wanted_revision: number;
    readonly reached_revision: number;
  }[];
}

const CALL_DEADLINE_MS = 10_000;

/** Everything that the demo asks of a running Crosswalk. */
export class DemoClient {
  constructor(
    private readonly settings: { readonly url: string; readonly crmSecret: string; readonly accessKey: string },
  ) {}

  /** Sends one CRM webhook, signed, as these very bytes. */
  async sendCrmWebhook(body: string, correlationId: string): Promise<Receipt> {
    const headers = {
      'content-type': 'application/json',
      'x-correlation-id': correlationId,
      ...signWebhook(this.settings.crmSecret, body, new Date()),
    };
    return (await this.answer('/v1/webhooks/crm', { method: 'POST', headers, body })) as Receipt;
  }

  /** This and the further reads return undefined while the service knows no such thing. */
  async event(eventId: string): Promise<EventView | undefined> {
    return (await this.read(`/v1/events/${eventId}`)) as EventView | undefined;
  }

  async mapping(system: string, entityType: string, externalId: string): Promise<MappingView | undefined> {
    const path = `/v1/mappings/${system}/${entityType}/${encodeURIComponent(externalId)}`;
    return (await this.read(path)) as MappingView | undefined;
  }

  async entity(entityType: string, internalId: string): Promise<EntityView | undefined> {
    return (await this.read(`/v1/entities/${entityType}/${internalId}`)) as EntityView | undefined;
  }

  /** The whole process under one correlation id, in order, as the service tells it. */
  async trace(correlationId: string): Promise<unknown> {
    return this.read(`/v1/traces/${encodeURIComponent(correlationId)}`);
  }

  private read(path: string): Promise<unknown> {
    return this.answer(path, { headers: { authorization: `Bearer ${this.settings.accessKey}` } });
  }

  /** Returns undefined for 404. */
  private async answer(path: string, request: RequestInit): Promise<unknown> {
    const signal = AbortSignal.timeout(CALL_DEADLINE_MS);
    const answer = await fetch(`${this.settings.url}${path}`, { ...request, signal });
    if (answer.status === 404) return undefined;
    if (answer.ok) return answer.json();
    throw new Error(`${request.method ?? 'GET'} ${path} answered ${answer.status}: ${await answer.text()}`);
  }
}
