/** `a`, `b` or `c`. */
export function wordList(words: readonly string[]): string {
  return choiceOf(words.map((word) => `\`${word}\``));
}

/** a, b or c. */
export function choiceOf(phrases: readonly string[]): string {
  if (phrases.length < 2) return phrases.join('');
  return `${phrases.slice(0, -1).join(', ')} or ${phrases.at(-1) ?? ''}`;
}
