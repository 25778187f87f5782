/** Words of the contract language that no reader knows yet: the file is right, this version is too small. */
const WORDS_NOT_THERE_YET: ReadonlySet<string> = new Set(
  ['gone nightly_at notice on_drift poll read reconcile_every retention stuck_after'].flatMap((line) =>
    line.split(' '),
  ),
);

/** The sentence about a word that a later version will know, or undefined. */
export function notThereYet(word: string): string | undefined {
  return WORDS_NOT_THERE_YET.has(word) ? sentence(word) : undefined;
}

/** Something that is read and checked, and that nothing carries out. */
export interface PlaceNotThereYet {
  /** Keys from the root; `*` is any one, `a|b` either. */
  readonly at: string;
  /** Only a value that is one of these; absent: whatever stands there. */
  readonly words?: readonly string[];
  /** Only a body that uses one of these variables or inputs. */
  readonly names?: readonly string[];
  /** Only where this key does not stand beside it, which would make use of it. */
  readonly without?: string;
}

const CONNECTION = 'systems/*/connection|deliver';
const CALLS = 'systems/*/deliver/entities/*';

/** Whoever builds one of these takes its line out. */
export const PLACES_NOT_THERE_YET: readonly PlaceNotThereYet[] = [
  { at: 'systems/*/connection', without: 'deliver' },
  { at: `${CONNECTION}/auth/scheme`, words: ['bearer', 'basic', 'hmac', 'oauth2-client-credentials', 'login'] },
  { at: `${CONNECTION}/rate_limit` },
  { at: `${CONNECTION}/timeout/connect|headers|body` },
  { at: `${CONNECTION}/secrets` },
  { at: 'systems/*/deliver/answers' },
  { at: `${CALLS}/needs` },
  { at: `${CALLS}/upsert` },
  { at: `${CALLS}/delete` },
  { at: `${CALLS}/find|create|update/headers` },
  { at: `${CALLS}/find|create|update/body`, names: ['$ref', '$exact', '$secrets', 'refs'] },
  { at: `${CALLS}/create/accepted` },
  { at: `${CALLS}/create/on_unknown` },
  { at: `${CALLS}/update/before` },
  { at: 'systems/*/ingest/webhooks/*/completes' },
  { at: 'events/*/on_refused' },
];

export function sentence(word: string): string {
  return `\`${word}\` is not there yet`;
}
