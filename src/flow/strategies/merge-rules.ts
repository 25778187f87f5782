import type { MergeRule } from '../../domain/contract/contract.js';
import { instantMicros } from '../../domain/instant.js';
import { canonicalJson } from '../../domain/json/canonical-json.js';
import { plainNumber } from '../../domain/json/canonical-number.js';
import {
  addDecimals,
  compareDecimals,
  readDecimal,
  writeDecimal,
  type ExactDecimal,
} from '../../domain/json/exact-decimal.js';
import { JsonNumber, isJsonArray, isJsonObject, type Json } from '../../domain/json/json.js';
import { writeJson } from '../../domain/json/write-json.js';
import type { MergedElement, MergedField } from '../../domain/merged-field.js';
import { isLater, type FieldClock } from '../../domain/field-clock.js';
import { SyncError } from '../../domain/sync-error.js';
import type { EventToDecide, Share } from './decision.js';
import { writerOf } from './patch-record.js';

/**
 * What the field is with the event's share in it. Each event is seen once, and the result does not depend on the order
 * in which events come; without order values (`order_by: arrival`) only `sum`, `max` and `min` promise that.
 *
 * @param held what earlier events made of it by the same rule; anything else is begun anew
 * @throws SyncError `merge.unusable`
 */
export function absorb(
  held: MergedField | undefined,
  { rule, value }: Share,
  event: EventToDecide,
): MergedField | 'stale' {
  switch (rule.kind) {
    case 'sum':
      return { ...toldBy(held, event), kind: 'sum', total: add(held?.kind === 'sum' ? held.total : ZERO, value) };
    case 'max':
    case 'min':
      return { ...toldBy(held, event), kind: rule.kind, value: extreme(held, rule.kind, value) };
    case 'append_unique_by':
    case 'union':
      return { ...toldBy(held, event), kind: rule.kind, elements: append(held, rule, value, event) };
    case 'latest': {
      const clock = clockOf(event, held?.kind === 'latest' ? [held.clock] : []);
      return held?.kind === 'latest' && !isLater(clock, held.clock) ? 'stale' : { kind: 'latest', value, clock };
    }
  }
}

const ZERO = new JsonNumber('0');

/**
 * Whether a number can be added depends on the number alone, so that events end in the same sum in any order. The total
 * is judged all the same, by reading it as the next event will: one that cannot be read would refuse all that follow.
 */
function add(total: JsonNumber, value: Json): JsonNumber {
  const summand = decimalOf(value, SAID_DIGITS_MAX);
  if (summand === undefined) throw unusable('sum', value, `a number of at most ${SAID_DIGITS_MAX} digits`);
  const held = readDecimal(total.text, HELD_DIGITS_MAX);
  if (held === undefined) throw new Error('The total of a sum cannot be read.');
  const sum = writeDecimal(addDecimals(held, summand));
  if (readDecimal(sum, HELD_DIGITS_MAX) === undefined) {
    throw unusable('sum', value, `a number that leaves the total below ${HELD_DIGITS_MAX} digits`);
  }
  return new JsonNumber(sum);
}

/**
 * Digits in front of the point, and as many behind it, that an event may say: no business counts so far, and one such
 * number would cost every later sum. What is held may have more of them by far, so that no number of events gets there.
 */
const SAID_DIGITS_MAX = 1_000;
const HELD_DIGITS_MAX = 10_000;

/** Of two spellings of one value the one whose text is greater, so that it does not depend on who came first. */
function extreme(held: MergedField | undefined, kind: 'max' | 'min', value: Json): Json {
  const mine = comparableOf(value, SAID_DIGITS_MAX);
  if (mine === undefined) throw unusable(kind, value, 'a number or an RFC 3339 date-time');
  const other = held?.kind === kind ? comparableOf(held.value, HELD_DIGITS_MAX) : undefined;
  if (held?.kind !== kind || other === undefined) return value;
  const difference = compareValues(mine, other);
  if (difference === 0) return writeJson(value) > writeJson(held.value) ? value : held.value;
  return difference > 0 === (kind === 'max') ? value : held.value;
}

type Comparable = { readonly number: ExactDecimal } | { readonly instant: bigint };

function comparableOf(value: Json, digitsMax: number): Comparable | undefined {
  const number = decimalOf(value, digitsMax);
  if (number !== undefined) return { number };
  const instant = typeof value === 'string' ? instantMicros(value) : undefined;
  return instant === undefined ? undefined : { instant };
}

/** Every instant is greater than every number: a field that mixes them has to end somewhere as well. */
function compareValues(a: Comparable, b: Comparable): number {
  if ('number' in a) return 'number' in b ? compareDecimals(a.number, b.number) : -1;
  if ('number' in b) return 1;
  return a.instant < b.instant ? -1 : Number(a.instant > b.instant);
}

/** One element is a list of one. Of two contents under one id the later one counts, by order value and then by key. */
function append(
  held: MergedField | undefined,
  rule: MergeRule,
  value: Json,
  event: EventToDecide,
): ReadonlyMap<string, MergedElement> {
  const known = held?.kind === rule.kind && 'elements' in held ? held.elements : new Map<string, MergedElement>();
  const elements = new Map(known);
  const clock = clockOf(
    event,
    [...known.values()].map(({ last }) => last),
  );
  for (const [position, element] of (isJsonArray(value) ? value : [value]).entries()) {
    const id = rule.kind === 'append_unique_by' ? idOf(element, rule.id) : canonicalJson(element);
    elements.set(id, laterElement({ value: element, first: clock, position, last: clock }, elements.get(id)));
  }
  if (elements.size > ELEMENTS_MAX) throw tooMany(rule.kind);
  return elements;
}

/** Each keeps its value and who wrote it: more would make every event of the record a matter of seconds. */
const ELEMENTS_MAX = 10_000;

function tooMany(rule: MergeRule['kind']): SyncError {
  const detail = `With it, the field of \`${rule}\` would have more than ${String(ELEMENTS_MAX)} elements.`;
  return new SyncError('merge.unusable', detail);
}

function laterElement(mine: MergedElement, held: MergedElement | undefined): MergedElement {
  if (held === undefined) return mine;
  const { first, position } = isLater(mine.first, held.first) ? held : mine;
  const { value, last } = isLater(mine.last, held.last) ? mine : held;
  return { value, first, position, last };
}

/** As text, so that a number and the same digits as text are one id. */
function idOf(element: Json, name: string): string {
  const id = isJsonObject(element) ? element.get(name) : undefined;
  if (typeof id === 'string') return id;
  if (id instanceof JsonNumber) return plainNumber(id.text);
  throw unusable('append_unique_by', element, `an object with \`${name}\` as text or number`);
}

/** Without order value the event counts as the newest of all. */
function clockOf(event: EventToDecide, held: readonly FieldClock[]): FieldClock {
  const newest = held.reduce((order, clock) => (clock.order > order ? clock.order : order), -1n);
  return { order: event.orderValue ?? newest + 1n, ...writerOf(event) };
}

function toldBy(held: MergedField | undefined, { occurredAt }: EventToDecide): { readonly at?: bigint } {
  const former = held !== undefined && held.kind !== 'latest' ? held.at : undefined;
  if (former === undefined) return occurredAt === undefined ? {} : { at: occurredAt };
  return { at: occurredAt !== undefined && occurredAt > former ? occurredAt : former };
}

function decimalOf(value: Json, digitsMax: number): ExactDecimal | undefined {
  const text = value instanceof JsonNumber ? value.text : value;
  return typeof text === 'string' ? readDecimal(text, digitsMax) : undefined;
}

function unusable(rule: string, value: Json, expected: string): SyncError {
  const text = writeJson(value);
  const found = text.length <= 80 ? text : `${text.slice(0, 80)}…`;
  return new SyncError('merge.unusable', `\`${rule}\` takes ${expected}, the event has ${found}.`);
}
