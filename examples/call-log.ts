import type { IncomingHttpHeaders } from 'node:http';
import { headerOf } from './answer.js';

/** One call to the records of a sample system, as `GET /_control/calls` shows it. */
export interface Call {
  readonly method: string;
  /** Path and query as they arrived. */
  readonly path: string;
  readonly at: string;
  /** When the answer was handed over; null while the call runs, and for ever where none was given. */
  answered_at: string | null;
  status: number | null;
  /** Whether this very call created, changed or removed a record. */
  applied: boolean;
  /** The place of its write among all writes of the system; null where it wrote nothing. */
  revision: number | null;
  /** The record that the call was about, where one was found or created. */
  record_id: string | null;
  /** The scripted faults that struck. */
  faults: readonly string[];
  readonly headers: {
    readonly 'idempotency-key': string | null;
    readonly 'x-correlation-id': string | null;
    readonly traceparent: string | null;
    readonly 'if-match'?: string;
    /** The scheme alone: a secret that was never written down cannot leak. */
    readonly authorization?: string;
  };
  /** As it arrived, with stars for credentials in it; null where it is nothing but credentials. */
  readonly body: string | null;
}

export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string | null;
}

/** Every call in the order of arrival, unanswered ones too. The control plane's own calls are not among them. */
export class CallLog {
  private entries: Call[] = [];

  constructor(private readonly now: () => number) {}

  /** Notes an arrival. The caller completes the returned entry as the call goes on. */
  begin({ method, path, headers, body }: Arrival): Call {
    const ifMatch = headerOf(headers, 'if-match');
    const scheme = headerOf(headers, 'authorization')?.split(' ', 1)[0];
    const call: Call = {
      method,
      path,
      at: this.instant(),
      answered_at: null,
      status: null,
      applied: false,
      revision: null,
      record_id: null,
      faults: [],
      headers: {
        'idempotency-key': headerOf(headers, 'idempotency-key') ?? null,
        'x-correlation-id': headerOf(headers, 'x-correlation-id') ?? null,
        traceparent: headerOf(headers, 'traceparent') ?? null,
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(scheme === undefined ? {} : { authorization: scheme }),
      },
      body,
    };
    this.entries.push(call);
    return call;
  }

  answered(call: Call, status: number): void {
    call.status = status;
    call.answered_at = this.instant();
  }

  all(): readonly Call[] {
    return this.entries;
  }

  clear(): void {
    this.entries = [];
  }

  private instant(): string {
    return new Date(this.now()).toISOString();
  }
}
