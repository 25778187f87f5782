/** The ways in which systems say when to come back. */
export const RETRY_AFTER_STYLES = ['seconds', 'date', 'past', 'junk', 'enormous', 'none'] as const;
export type RetryAfterStyle = (typeof RETRY_AFTER_STYLES)[number];

const AN_HOUR_MS = 3_600_000;

/** The value of a `Retry-After` header; undefined where the style is to send none. */
export function retryAfterText(style: RetryAfterStyle, leftMs: number, nowMs: number): string | undefined {
  switch (style) {
    case 'seconds':
      return String(Math.max(1, Math.ceil(leftMs / 1000)));
    case 'date':
      return httpDate(Math.ceil((nowMs + leftMs) / 1000) * 1000);
    case 'past':
      return httpDate(nowMs - AN_HOUR_MS);
    case 'junk':
      return 'in a moment, please';
    case 'enormous':
      return '99999999999999';
    case 'none':
      return undefined;
  }
}

function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
}
