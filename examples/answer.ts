import type { IncomingHttpHeaders } from 'node:http';

/** One call to a sample system, as its dialect sees it. */
export interface SystemRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Undefined where none was sent, and where the system takes no notice of it. */
  readonly idempotencyKey: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** The record that was read. Of a write the store itself knows which record it was. */
  readonly recordId?: string;
}

export function json(status: number, value: unknown, headers: Answer['headers'] = {}): Answer {
  return { status, body: JSON.stringify(value), headers };
}

export const NO_CONTENT: Answer = { status: 204, body: '' };

/** An id as a system writes it that counts: digits are a number, anything else is text. */
export function jsonOfId(id: string): string {
  return /^\d{1,15}$/.test(id) ? id : JSON.stringify(id);
}

/** Text that is not percent-encoded properly names nothing and is looked up as it stands. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** One header as text; undefined where it is missing or came more than once. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
