const LENGTH_MAX = 64;

/**
 * A text from outside as a sentence may hold it: cut, and without control characters. What a sender writes must not
 * fill a log line, forge one, or be refused by the database together with the reason that quotes it.
 */
export function quoted(text: string): string {
  const line = text
    .slice(0, LENGTH_MAX * 4)
    .replace(/\p{Cc}/gu, ' ')
    .toWellFormed();
  const characters = [...line];
  return `\`${characters.length <= LENGTH_MAX ? line : `${characters.slice(0, LENGTH_MAX).join('')}…`}\``;
}
