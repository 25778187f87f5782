/**
 * Whether a caller's correlation id may stand in logs, headers and traces as it is. Others are replaced by one of
 * ours: an id is data from outside, and line breaks or 16 kB of it would end up in every log line.
 */
export function isSafeCorrelationId(id: string | undefined): id is string {
  return id !== undefined && /^[\w.:@/+=~-]{1,128}$/.test(id);
}
