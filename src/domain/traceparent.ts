/** The parts of a W3C Trace Context `traceparent`: which trace goes on, and with which flags. */
export interface Traceparent {
  readonly traceId: string;
  readonly flags: string;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/** Undefined for anything that the specification calls invalid; such a header is treated as if it were absent. */
export function parseTraceparent(header: string | undefined): Traceparent | undefined {
  const [, traceId, flags] = TRACEPARENT.exec(header ?? '') ?? [];
  return traceId === undefined || flags === undefined ? undefined : { traceId, flags };
}
