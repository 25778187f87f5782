import { JsonNumber, isJsonArray, type Json, type JsonObject } from '../../domain/json/json.js';
import { writeJson } from '../../domain/json/write-json.js';
import type { MergedElement, MergedField } from '../../domain/merged-field.js';
import { objectIn, readClock, textIn, writeClock } from './stored-clock.js';

/**
 * What merge rules remember of a record's fields, as JSON. Order values stand as text, values as they came, elements
 * by id, so that records in one state are stored as one text.
 */
export function writeMerged(fields: ReadonlyMap<string, MergedField>): JsonObject {
  return new Map([...fields].map(([name, field]): [string, Json] => [name, writeField(field)]));
}

/** @throws Error when it was not written by `writeMerged`, which only a bug can cause */
export function readMerged(stored: JsonObject): ReadonlyMap<string, MergedField> {
  return new Map([...stored].map(([name, field]): [string, MergedField] => [name, readField(objectIn(field))]));
}

function writeField(field: MergedField): JsonObject {
  const kind: [string, Json] = ['kind', field.kind];
  if (field.kind === 'latest')
    return new Map<string, Json>([kind, ['value', field.value], ['clock', writeClock(field.clock)]]);
  const told: [string, Json][] = field.at === undefined ? [] : [['at', String(field.at)]];
  switch (field.kind) {
    case 'sum':
      return new Map<string, Json>([kind, ['total', field.total], ...told]);
    case 'max':
    case 'min':
      return new Map<string, Json>([kind, ['value', field.value], ...told]);
    case 'append_unique_by':
    case 'union':
      return new Map<string, Json>([kind, ['elements', [...field.elements].sort(byId).map(writeElement)], ...told]);
  }
}

function readField(stored: JsonObject): MergedField {
  const kind = textIn(stored, 'kind') as MergedField['kind'];
  const value = stored.get('value') ?? null;
  if (kind === 'latest') return { kind, value, clock: readClock(objectIn(stored.get('clock'))) };
  const told = stored.has('at') ? { at: BigInt(textIn(stored, 'at')) } : {};
  switch (kind) {
    case 'sum':
      return { kind, total: numberIn(stored, 'total'), ...told };
    case 'max':
    case 'min':
      return { kind, value, ...told };
    case 'append_unique_by':
    case 'union': {
      const elements = stored.get('elements');
      return { kind, elements: new Map((isJsonArray(elements) ? elements : []).map(readElement)), ...told };
    }
  }
}

/** Most elements come once, and then the last word about them is the first. */
function writeElement([id, { value, first, position, last }]: [string, MergedElement]): JsonObject {
  const [firstClock, lastClock] = [writeClock(first), writeClock(last)];
  const element: [string, Json][] = [
    ['id', id],
    ['value', value],
    ['first', firstClock],
    ['position', new JsonNumber(String(position))],
  ];
  const isSame = writeJson(firstClock) === writeJson(lastClock);
  return new Map<string, Json>(isSame ? element : [...element, ['last', lastClock]]);
}

function readElement(element: Json): [string, MergedElement] {
  const stored = objectIn(element);
  return [
    textIn(stored, 'id'),
    {
      value: stored.get('value') ?? null,
      first: readClock(objectIn(stored.get('first'))),
      position: Number(numberIn(stored, 'position').text),
      last: readClock(objectIn(stored.get('last') ?? stored.get('first'))),
    },
  ];
}

function byId([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b);
}

function numberIn(stored: JsonObject, name: string): JsonNumber {
  const value = stored.get(name);
  if (value instanceof JsonNumber) return value;
  throw new Error(`Stored data has no number \`${name}\`.`);
}
