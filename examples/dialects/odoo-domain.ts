import { elementsOf, membersOf, scalarOf } from '../json-text.js';
import type { StoredRecord } from '../record-store.js';
import { OdooError } from './odoo-error.js';

/**
 * The records for which every `[field, operator, value]` of a domain holds. Archived ones are left out, unless the
 * context or the domain itself asks for them.
 */
export function recordsOfDomain(
  records: readonly StoredRecord[],
  domain: string,
  showsArchived: boolean,
): StoredRecord[] {
  const terms = elementsOf(domain).map((term) => elementsOf(term));
  const asksForArchived = showsArchived || terms.some(([field]) => scalarOf(field) === 'active');
  return records.filter((record) => {
    const members = membersOf(record.raw).set('id', record.id);
    const isArchived = members.get('active') === 'false';
    return (asksForArchived || !isArchived) && terms.every((term) => termHolds(term, members));
  });
}

function termHolds([field, operator, value]: readonly string[], members: ReadonlyMap<string, string>): boolean {
  // `false` is Odoo's word for nothing.
  const has = members.get(scalarOf(field) ?? '') ?? 'false';
  switch (scalarOf(operator)) {
    case '=':
      return isSame(has, value);
    case '!=':
      return !isSame(has, value);
    case 'in':
      return elementsOf(value ?? '[]').some((one) => isSame(has, one));
    default:
      throw new OdooError('builtins.ValueError', `Invalid leaf (${[field, operator, value].join(', ')})`);
  }
}

function isSame(one: string, other: string | undefined): boolean {
  return (scalarOf(one) ?? one) === (scalarOf(other) ?? other);
}
