/** Words of the contract language whose part of the hub is not built: the file is right, this version is too small. */
const WORDS_NOT_THERE_YET: ReadonlySet<string> = new Set(
  [
    'accepted answers ask bearer before completes connection delete gone headers login needs nightly_at notice',
    'oauth2-client-credentials on_drift poll rate_limit read reconcile_every retention secrets',
    'stuck_after upsert',
  ].flatMap((line) => line.split(' ')),
);

/** The sentence about a word that a later version will know, or undefined. */
export function notThereYet(word: string): string | undefined {
  return WORDS_NOT_THERE_YET.has(word) ? `\`${word}\` is not there yet` : undefined;
}
