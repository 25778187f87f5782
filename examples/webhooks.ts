/** Whom the system tells what happens in it, and when. */
export interface WebhookSetting {
  readonly url: string;
  /** Sent as they stand; the hub's API key, for one. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly about: readonly ('jobs' | 'writes')[];
  /** The webhook is answered before the call that caused it; otherwise it goes out after that answer. */
  readonly before_answer?: boolean;
  /** Leaves the caller's own reference out, as systems do that keep none. */
  readonly without_ref?: boolean;
}

/** One sending, as `GET /_control/webhooks` shows it. */
export interface SentWebhook {
  readonly body: string;
  readonly at: string;
  /** Null where nobody answered. */
  readonly status: number | null;
}

const ANSWER_DEADLINE_MS = 10_000;

/** Sends once and never again: what was lost stays lost, as with most systems that are small. */
export class Webhooks {
  private done: SentWebhook[] = [];

  constructor(private readonly now: () => number) {}

  async send({ url, headers = {} }: WebhookSetting, body: string): Promise<void> {
    const at = new Date(this.now()).toISOString();
    const signal = AbortSignal.timeout(ANSWER_DEADLINE_MS);
    const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body, signal };
    const status = await fetch(url, request).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      () => null,
    );
    this.done.push({ body, at, status });
  }

  all(): readonly SentWebhook[] {
    return this.done;
  }

  clear(): void {
    this.done = [];
  }
}
