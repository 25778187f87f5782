/**
 * JSON taken apart without reading its values, so that every number keeps its digits: `1299.00` and 9007199254740993
 * come out as they went in. The text must be JSON; whoever is not sure lets `JSON.parse` judge it first.
 */

/** The members of an object, each value as the text that stands there; of two with one name the later counts. */
export function membersOf(text: string): Map<string, string> {
  return new Map(
    partsOf(text).map((member) => {
      const name = /^"(?:[^"\\]|\\.)*"/.exec(member)?.[0] ?? '""';
      return [JSON.parse(name) as string, member.slice(name.length).trimStart().slice(1).trim()];
    }),
  );
}

/** The elements of an array, each as its text. */
export function elementsOf(text: string): string[] {
  return partsOf(text);
}

export function objectOf(members: Iterable<readonly [string, string]>): string {
  return `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/** The object with every member of `changes` in it; what only `former` has stays. */
export function mergedText(former: string, changes: string): string {
  return objectOf(new Map([...membersOf(former), ...membersOf(changes)]));
}

/** The value behind a text of JSON where it is text or a number, for comparing; undefined for anything else. */
export function scalarOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (text.startsWith('"')) return JSON.parse(text) as string;
  return /^-?\d/.test(text) ? text : undefined;
}

/** Whether the text is one JSON object. */
export function isObjectText(text: string): boolean {
  try {
    JSON.parse(text);
  } catch {
    return false;
  }
  return text.trimStart().startsWith('{');
}

/** What stands between the outermost brackets, cut at its commas. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"') at = endOfText(text, at);
    else if (sign === '{' || sign === '[') {
      depth += 1;
      if (depth === 1) start = at + 1;
    } else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth === 0) parts.push(text.slice(start, at));
    } else if (sign === ',' && depth === 1) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Where the text that opens at `from` is closed. */
function endOfText(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at;
}
