import { decodeSegment } from '../answer.js';

/** What an address of an OData service names: an entity set, or one entity of it. */
export interface ODataPath {
  /** Absent for the service itself. */
  readonly set: string | undefined;
  readonly key: string | undefined;
}

const SERVICE = /^\/sap\/opu\/odata\/sap\/\w+\/?$/;
const IN_SERVICE = /^\/sap\/opu\/odata\/sap\/\w+\/(\w+)(?:\('((?:[^']|'')*)'\))?$/;

/** Undefined where the address is malformed: an apostrophe in a key, for one, has to be written twice. */
export function readODataPath(pathname: string): ODataPath | undefined {
  const path = decodeSegment(pathname);
  if (SERVICE.test(path)) return { set: undefined, key: undefined };
  const match = IN_SERVICE.exec(path);
  return match === null ? undefined : { set: match[1], key: match[2]?.replaceAll("''", "'") };
}

/** The terms `Field eq 'text'` of a filter, joined with `and`; undefined where it is anything else. */
export function readFilter(filter: string): readonly { readonly field: string; readonly value: string }[] | undefined {
  const term = /(\w+) eq '((?:[^']|'')*)'(?: and (?=\w)|$)/y;
  const terms: { field: string; value: string }[] = [];
  while (terms.length === 0 || term.lastIndex < filter.length) {
    const [, field, value] = term.exec(filter) ?? [];
    if (field === undefined || value === undefined) return undefined;
    terms.push({ field, value: value.replaceAll("''", "'") });
  }
  return terms;
}
