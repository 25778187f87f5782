/** What the door says about one event; see the `VerdictAnswer` and the problem documents of the API. */
export interface VerdictBody {
  readonly event_id?: string;
  readonly verdict?: string;
  readonly status?: string;
  readonly outcome?: string;
  readonly code?: string;
  readonly reason_code?: string;
  readonly internal_id?: string;
  readonly conflict_event_id?: string;
}

export interface Answer<Body = VerdictBody> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export type BatchItem = VerdictBody & { readonly index: number; readonly at?: string; readonly retryable?: boolean };

export interface HopView {
  readonly node: string;
  readonly status: string;
  readonly attempt?: number;
  readonly reason_code?: string;
}

export interface DeliveryView {
  readonly target: string;
  readonly status: string;
  readonly attempts: number;
  readonly reason_code?: string;
}

export interface EventView {
  readonly event_id: string;
  readonly status: string;
  readonly outcome?: string;
  readonly reason_code?: string;
  readonly internal_id?: string;
  /** The numbers of the contracts that read and decided it. */
  readonly contract: { readonly read?: number; readonly decided?: number };
  readonly source: string;
  readonly entity?: Readonly<Record<string, unknown>>;
  readonly links?: readonly unknown[];
  readonly waits_for?: readonly Readonly<Record<string, unknown>>[];
  readonly trace: readonly HopView[];
  readonly deliveries: readonly DeliveryView[];
}

export interface MappingView {
  readonly system: string;
  readonly external_id: string | null;
  readonly state: string;
}

export interface ConflictView {
  readonly kind: string;
  readonly external_id: string | null;
  readonly candidates: readonly Readonly<Record<string, unknown>>[];
}

export interface PendingCreateView {
  readonly system: string;
  readonly internal_id: string;
  readonly state: string;
}

export interface LetterView {
  readonly letter_id: string;
  readonly kind: string;
  readonly reason_code?: string;
  readonly reason?: string;
  readonly attempts: number;
  readonly event_id?: string;
  readonly correlation_id?: string;
}

export interface ReplayView {
  readonly replay_id: string;
  readonly status: string;
  readonly total: number;
  readonly done: number;
  readonly superseded: number;
  readonly failed: number;
}

/** Longer than any answer of a healthy process takes: a request that hangs must fail its test and not the suite. */
const TIMEOUT_MS = 10_000;

/** One process of Crosswalk as systems and people reach it: over HTTP. Nothing is retried. */
export class CrosswalkClient {
  constructor(
    readonly url: string,
    private readonly accessKey: string,
  ) {}

  /** Sends exactly this text; the headers carry the credential. */
  sendWebhook(system: string, body: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
    return this.post(`/v1/webhooks/${system}`, body, headers);
  }

  sendEvent(envelope: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
    return this.post('/v1/events', envelope, headers);
  }

  sendBatch(
    envelopes: readonly unknown[],
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer<{ readonly results: readonly BatchItem[]; readonly code?: string }>> {
    return this.post('/v1/events/batch', JSON.stringify(envelopes), headers);
  }

  async event(eventId: string): Promise<EventView> {
    return this.read(`/v1/events/${eventId}`);
  }

  /** The same in words. */
  async why(
    eventId: string,
  ): Promise<{ readonly why: string; readonly status: string; readonly reason_code?: string }> {
    return this.read(`/v1/events/${eventId}/why`);
  }

  /** The internal id that an external id leads to; rejects where it is not known. */
  async internalId(system: string, entityType: string, externalId: string): Promise<string> {
    const path = `/v1/mappings/${system}/${entityType}/${encodeURIComponent(externalId)}`;
    return (await this.read<{ internal_id: string }>(path)).internal_id;
  }

  async entity(
    entityType: string,
    internalId: string,
  ): Promise<{
    readonly data: Readonly<Record<string, unknown>>;
    readonly revision: number;
    readonly state?: string;
    readonly path?: readonly { readonly state: string; readonly event_id?: string }[];
    readonly records: readonly { readonly source: string; readonly system: string }[];
    readonly references: readonly Readonly<Record<'path' | 'entity_type' | 'internal_id' | 'source', string>>[];
    readonly mappings: readonly MappingView[];
    readonly deliveries: readonly DeliveryView[];
  }> {
    return this.read(`/v1/entities/${entityType}/${internalId}`);
  }

  /** The open questions of a kind; at most 500. */
  async conflicts(kind: string): Promise<readonly ConflictView[]> {
    return (await this.read<{ items: ConflictView[] }>(`/v1/admin/conflicts?kind=${kind}&limit=500`)).items;
  }

  async pendingCreates(system: string): Promise<readonly PendingCreateView[]> {
    return (await this.read<{ items: PendingCreateView[] }>(`/v1/pending-creates?system=${system}&limit=500`)).items;
  }

  /** At most 500. */
  async deadLetters(query = ''): Promise<readonly LetterView[]> {
    return (await this.read<{ items: LetterView[] }>(`/v1/admin/dead-letters?limit=500${query}`)).items;
  }

  /** The tag of a letter as it is now. */
  async letterTag(letterId: string): Promise<string> {
    return (await this.get(`/v1/admin/dead-letters/${letterId}`)).headers.get('etag') ?? '';
  }

  /** With a tag only the letter that was seen. */
  async replayLetter(letterId: string, tag?: string): Promise<Answer<Readonly<Record<string, unknown>>>> {
    const headers: Readonly<Record<string, string>> = tag === undefined ? {} : { 'if-match': tag };
    return this.repair(`/v1/admin/dead-letters/${letterId}/replay`, { reason: 'The cause is gone.' }, headers);
  }

  async editLetter(letterId: string, edit: object): Promise<Answer<Readonly<Record<string, unknown>>>> {
    return this.repair(`/v1/admin/dead-letters/${letterId}/edit`, { reason: 'It was wrong.', ...edit });
  }

  async discardLetter(letterId: string): Promise<Answer<Readonly<Record<string, unknown>>>> {
    return this.repair(`/v1/admin/dead-letters/${letterId}/discard`, { reason: 'Nobody needs it.' });
  }

  async beginReplay(wish: Readonly<Record<string, unknown>>): Promise<ReplayView> {
    const asked = { reason: 'The cause is gone.', ...wish };
    return (await this.repair<ReplayView>('/v1/admin/dead-letters/replays', asked)).body;
  }

  async replay(replayId: string): Promise<ReplayView> {
    return this.read(`/v1/admin/dead-letters/replays/${replayId}`);
  }

  /** As Bull Board shows them. */
  async queues(): Promise<readonly { readonly name: string; readonly counts: Readonly<Record<string, number>> }[]> {
    return (await this.read<{ queues: [] }>('/admin/queues/api/queues')).queues;
  }

  async audit(query: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return (await this.read<{ items: Record<string, unknown>[] }>(`/v1/admin/audit?${query}`)).items;
  }

  async trace(correlationId: string): Promise<{ readonly hops: readonly HopView[] }> {
    return this.read(`/v1/traces/${correlationId}`);
  }

  private repair<Body>(
    path: string,
    wish: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<Body>> {
    return this.post(path, JSON.stringify(wish), { authorization: `Bearer ${this.accessKey}`, ...headers });
  }

  private async post<Body>(
    path: string,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer<Body>> {
    const answer = await fetch(`${this.url}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body };
  }

  private async get(path: string): Promise<Response> {
    const headers = { authorization: `Bearer ${this.accessKey}` };
    return fetch(`${this.url}${path}`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  }

  private async read<Body>(path: string): Promise<Body> {
    const answer = await this.get(path);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text) as Body;
  }
}
