import type { ChangeKind, ContractChange, Stored } from '../../domain/contract/contract-change.js';
import { COUNT_MAX, type Danger, type Endangered, type Spelling } from './count-endangered.js';

/** A difference in one line; `FILE:LINE:COL` in front is what editors and terminals turn into a link. */
export function changeLine(change: ContractChange, file?: string): string {
  const { path, position, before, after } = change;
  const place = file === undefined || position === undefined ? '' : `${file}:${position.line}:${position.column} `;
  if (before === undefined) return `${place}${path}: new: ${after ?? ''}`;
  if (after === undefined) return `${place}${path}: taken away: ${before}`;
  return `${place}${path}: ${before} became ${after}`;
}

/** What a difference of this kind would do, whether anything is stored or not; undefined where it does no harm. */
export function meaningOf(kind: ChangeKind): string | undefined {
  return MEANINGS[kind];
}

/** What is stored that a difference contradicts, in one sentence. */
export function effectLine({ change, endangered }: Danger): string {
  return `${storedWords(change.endangers, endangered)}. ${meaningOf(change.kind) ?? ''}`;
}

const MEANINGS: Readonly<Record<ChangeKind, string | undefined>> = {
  key_template: 'A fact that comes again gets another key than before and is applied a second time.',
  event_type: 'A fact that comes again is of another event type, with keys of its own, and is applied a second time.',
  scope: 'Keys are looked for in another room from now on: a fact that comes again is applied a second time.',
  id_template: 'A record that is known gets another external id and becomes a second entity, or meets another record.',
  normalization:
    'An id that is spelt otherwise is not found any more and becomes a second entity; where two ids become one, so do their records.',
  order:
    'Order values of the two kinds cannot be compared: newer states are taken for older ones, or older ones for newer.',
  merge_rule:
    'What the former rule made of the field means nothing to the new one: the next event begins the field anew, and what it grew to is gone.',
  state:
    'An entity in a state that the contract does not know is moved by no event any more: those that come for it are refused.',
  other: undefined,
};

function storedWords(stored: Stored, { rows, spelling }: Endangered): string {
  switch (stored.kind) {
    case 'keys':
      return `${counted(rows, 'key is', 'keys are')} stored in ${stored.scopes.join(', ')}`;
    case 'ids': {
      const owner = stored.entityType === undefined ? stored.system : `${stored.system} ${stored.entityType}`;
      const mapped = `${counted(rows, 'external id is', 'external ids are')} mapped of ${owner}`;
      return spelling === undefined ? mapped : `${mapped}; ${spellingWords(spelling)}`;
    }
    case 'records':
      return `${counted(rows, 'record keeps its', 'records keep their')} order value in ${stored.entityType}`;
    case 'merged':
      return `${counted(rows, 'record holds', 'records hold')} what \`${stored.field}\` grew to in ${stored.entityType}`;
    case 'state':
      return `${counted(rows, 'entity is', 'entities are')} in ${stored.state} of ${stored.entityType}`;
  }
}

function spellingWords({ respelt, colliding }: Spelling): string {
  return `${grouped(respelt)} would be spelt otherwise, ${grouped(colliding)} would become one with another`;
}

function counted(rows: number, one: string, many: string): string {
  return `${rows >= COUNT_MAX ? 'at least ' : ''}${grouped(rows)} ${rows === 1 ? one : many}`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
