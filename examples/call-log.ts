import type { IncomingHttpHeaders } from 'node:http';

/** One call to the records of a sample system, as `GET /_control/calls` shows it. */
export interface Call {
  readonly method: string;
  /** Path and query as they arrived. */
  readonly path: string;
  readonly at: string;
  /** When the answer was handed over; null while the call runs, and for ever where none was given. */
  answered_at: string | null;
  status: number | null;
  /** Whether this very call created or replaced a record. */
  applied: boolean;
  /** The record that the call was about, where one was found or created. */
  record_id: string | null;
  /** The scripted faults that struck. */
  faults: readonly string[];
  readonly headers: {
    readonly 'idempotency-key': string | null;
    readonly 'x-correlation-id': string | null;
    readonly traceparent: string | null;
  };
}

/** Every call in the order of arrival, unanswered ones too. The control plane's own calls are not among them. */
export class CallLog {
  private entries: Call[] = [];

  constructor(private readonly now: () => number) {}

  /** Notes an arrival. The caller completes the returned entry as the call goes on. */
  begin(method: string, path: string, headers: IncomingHttpHeaders): Call {
    const call: Call = {
      method,
      path,
      at: this.instant(),
      answered_at: null,
      status: null,
      applied: false,
      record_id: null,
      faults: [],
      headers: {
        'idempotency-key': single(headers['idempotency-key']),
        'x-correlation-id': single(headers['x-correlation-id']),
        traceparent: single(headers['traceparent']),
      },
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

function single(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}
