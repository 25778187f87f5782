import { closest, distance } from 'fastest-levenshtein';

/** ` (did you mean \`webhooks\`?)` where a known word is near enough to be meant, otherwise nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  const inLowerCase = known.map((other) => other.toLowerCase());
  const found = closest(word.toLowerCase(), inLowerCase);
  const nearest = known[inLowerCase.indexOf(found)] ?? found;
  const isNear = distance(word.toLowerCase(), found) <= Math.max(1, Math.floor(found.length / 3));
  return (isNear || lettersOf(word) === lettersOf(nearest)) && nearest !== word
    ? ` (did you mean \`${nearest}\`?)`
    : '';
}

/** Swapped letters count as two edits, too many for a short name such as `erp`. */
function lettersOf(word: string): string {
  return Array.from(word).sort().join('');
}
