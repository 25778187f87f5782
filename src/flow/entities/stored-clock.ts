import { isJsonObject, type Json, type JsonObject } from '../../domain/json/json.js';
import { hasClocks, type ClockTree, type FieldClock } from '../../domain/field-clock.js';

export function writeClock({ order, key, at }: FieldClock): JsonObject {
  const clock: [string, Json][] = [
    ['order', String(order)],
    ['key', key],
  ];
  return new Map<string, Json>(at === undefined ? clock : [...clock, ['at', String(at)]]);
}

export function readClock(stored: JsonObject): FieldClock {
  const clock = { order: BigInt(textIn(stored, 'order')), key: textIn(stored, 'key') };
  return stored.has('at') ? { ...clock, at: BigInt(textIn(stored, 'at')) } : clock;
}

/** A clock of a whole value stands bare, as it did before there were others; what lies below it stands in `below`. */
export function writeClocks({ written, opened, members }: ClockTree): JsonObject {
  const stored = new Map<string, Json>(written === undefined ? [] : writeClock(written));
  if (opened !== undefined) stored.set('opened', writeClock(opened));
  const below = [...members].filter(([, member]) => hasClocks(member));
  if (below.length > 0) stored.set('below', new Map(below.map(([name, member]) => [name, writeClocks(member)])));
  return stored;
}

export function readClocks(stored: JsonObject): ClockTree {
  const below = stored.has('below') ? [...objectIn(stored.get('below'))] : [];
  return {
    ...(stored.has('order') && { written: readClock(stored) }),
    ...(stored.has('opened') && { opened: readClock(objectIn(stored.get('opened'))) }),
    members: new Map(below.map(([name, member]) => [name, readClocks(objectIn(member))])),
  };
}

/** @throws Error when it is none, which only a bug can cause */
export function objectIn(value: Json | undefined): JsonObject {
  if (!isJsonObject(value)) throw new Error('Stored data is no JSON object.');
  return value;
}

/** @throws Error when it is missing, which only a bug can cause */
export function textIn(stored: JsonObject, name: string): string {
  const value = stored.get(name);
  if (typeof value === 'string') return value;
  throw new Error(`Stored data has no text \`${name}\`.`);
}
