import type { Incoming } from './exchange.js';

/** A longer wait would be cut by proxies on the way, and by a process that ends. */
export const WAIT_SECONDS_MAX = 30;

/**
 * How many seconds the sender is ready to wait for the outcome (`Prefer: wait=5`, RFC 7240 §4.3), at most thirty.
 * Undefined where nothing is asked for. As the RFC wants it, preferences that are unknown or misspelt are ignored, and
 * of one that stands twice the first counts.
 */
export function preferredWaitSeconds({ headers }: Pick<Incoming, 'headers'>): number | undefined {
  const { prefer } = headers;
  if (prefer === undefined) return undefined;
  // Node joins the lines of a repeated header as the RFC reads them: in their order, with commas.
  const preferences = (typeof prefer === 'string' ? prefer : prefer.join()).match(PREFERENCE) ?? [];
  const wait = preferences.find((preference) => /^[ \t]*wait[ \t]*(?:[=;]|$)/i.test(preference));
  const [, quotedDigits, digits = quotedDigits] = wait === undefined ? [] : (WAIT.exec(wait) ?? []);
  const seconds = Math.min(Number(digits ?? 0), WAIT_SECONDS_MAX);
  return seconds === 0 ? undefined : seconds;
}

/** What stands between two commas that are not in quotes. */
const PREFERENCE = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;
/** Parameters (`; …`) say nothing about a wait. */
const WAIT = /^[ \t]*wait[ \t]*=[ \t]*(?:"(\d+)"|(\d+))[ \t]*(?:;|$)/i;
