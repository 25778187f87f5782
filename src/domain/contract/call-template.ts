import { parseSelector, type Selector } from './selector.js';

/** A path or a header of a call, with holes: `/customers('{external_id}')`, `{current.header/etag}`. */
export interface CallTemplate {
  readonly source: string;
  readonly parts: readonly (string | CallHole)[];
}

/**
 * What a hole stands for:
 *
 * | written                  | is                                                          |
 * | ------------------------ | ----------------------------------------------------------- |
 * | `{internal_id}`          | our id                                                      |
 * | `{external_id}`          | the target's                                                |
 * | `{ticket}`               | what an accepted create was given                           |
 * | `{current/a/b}`          | JSON Pointer into the answer to `before`                    |
 * | `{current.header/etag}`  | a header of that answer                                     |
 * | `{secrets.name}`         | one of the target's `secrets`                               |
 * | `{name}`                 | what a login took under this name                           |
 */
export type CallHole =
  | { readonly kind: 'internal_id' | 'external_id' | 'ticket' }
  | { readonly kind: 'current'; readonly place: Selector }
  | { readonly kind: 'secret' | 'taken'; readonly name: string };

const FIXED = ['internal_id', 'external_id', 'ticket'] as const;

/** Returns undefined when braces are unbalanced or a hole is none of those. */
export function parseCallTemplate(source: string): CallTemplate | undefined {
  const parts: (string | CallHole)[] = [];
  for (const piece of source.split(/(\{[^{}]*\})/)) {
    if (piece === '') continue;
    const part = piece.startsWith('{') && piece.endsWith('}') ? parseCallHole(piece.slice(1, -1)) : piece;
    if (part === undefined || (typeof part === 'string' && /[{}]/.test(part))) return undefined;
    parts.push(part);
  }
  return { source, parts };
}

/** What stands between the braces, or undefined when that is no hole. */
export function parseCallHole(source: string): CallHole | undefined {
  const kind = FIXED.find((word) => word === source);
  if (kind !== undefined) return { kind };
  const [, secret] = /^secrets\.(\w+)$/.exec(source) ?? [];
  if (secret !== undefined) return { kind: 'secret', name: secret };
  const [, header, pointer] = /^current(?:\.(header\/.+)|(\/.*))$/s.exec(source) ?? [];
  const place = parseSelector(header ?? pointer ?? '');
  if (place !== undefined) return { kind: 'current', place };
  return /^[a-z]\w*$/i.test(source) && source !== 'current' && source !== 'secrets'
    ? { kind: 'taken', name: source }
    : undefined;
}

/** The holes in the order in which they stand. */
export function holesOf({ parts }: CallTemplate): readonly CallHole[] {
  return parts.filter((part) => typeof part !== 'string');
}
