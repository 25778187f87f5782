import { isJsonObject, type Json, type JsonObject } from '../../domain/json/json.js';
import { NO_CLOCKS, hasClocks, isLater, type ClockTree, type FieldClock } from '../../domain/field-clock.js';

/** A value with the clocks of the places in it. Undefined: nothing stands here. */
export interface Place {
  readonly value: Json | undefined;
  readonly clocks: ClockTree;
}

/**
 * What a patch says about a place: its whole value, or something about its members. Without members: only that an
 * object stands here.
 */
export type Patch = { readonly value: Json } | ReadonlyMap<string, Patch>;

/** Each field as a whole. */
export function patchOfFields(fields: JsonObject): ReadonlyMap<string, Patch> {
  return new Map([...fields].map(([field, value]): [string, Patch] => [field, { value }]));
}

/**
 * A JSON Merge Patch (RFC 7396), place by place: objects are looked into, everything else is written as it stands. A
 * null is written too, so that a cleared field shows as null and does not vanish.
 */
export function mergePatchOf(fields: JsonObject): ReadonlyMap<string, Patch> {
  return new Map(
    [...fields].map(([name, value]): [string, Patch] => [name, isJsonObject(value) ? mergePatchOf(value) : { value }]),
  );
}

/**
 * Writes into a value what an event says, dated. Whatever the order in which events arrive, the result is what they
 * make in the order of their clocks: a write dates everything below its place, and later writes below it stay. Each
 * object is copied once, however many of its members are written: a body may hold a hundred thousand of them.
 *
 * @returns undefined where later writes, of these places or of ones above them, make all of it meaningless
 */
export function writeAt(place: Place, patch: Patch, clock: FieldClock): Place | undefined {
  if (place.clocks.written !== undefined && !isLater(clock, place.clocks.written)) return undefined;
  if ('value' in patch) return overwritePlace(place, patch.value, clock);
  if (patch.size === 0) return open(place, clock);
  const written = [...patch].flatMap(([name, below]): [string, Place][] => {
    const member = writeAt(memberOf(place, name), below, clock);
    return member === undefined ? [] : [[name, member]];
  });
  return written.length === 0 ? undefined : withMembers(place, written);
}

/** Writes without a date: over everything that stands there. `clockOf` says what a field is dated afterwards. */
export function writeUndated(
  root: Place,
  fields: ReadonlyMap<string, Patch>,
  clockOf: (field: string) => FieldClock | undefined,
): Place {
  const written = [...fields].map(([field, patch]): [string, Place] => [
    field,
    replacePlace(memberOf(root, field), patch, clockOf(field)),
  ]);
  return withMembers(root, written);
}

/** `base`, with everything in `held` that is later by `stays`. */
export function keepLater(base: Json | undefined, held: Place, stays: (clock: FieldClock) => boolean): Place {
  const { written, opened, members } = held.clocks;
  if (written !== undefined && stays(written)) return held;
  const isOpen = opened !== undefined && stays(opened);
  const clocks: ClockTree = isOpen ? { ...NO_CLOCKS, opened } : NO_CLOCKS;
  const place: Place = { value: isOpen && !isJsonObject(base) ? new Map() : base, clocks };
  const later = [...members.keys()].flatMap((name): [string, Place][] => {
    const member = keepLater(memberOf(place, name).value, memberOf(held, name), stays);
    return hasClocks(member.clocks) ? [[name, member]] : [];
  });
  return later.length === 0 ? place : withMembers(place, later);
}

function replacePlace(place: Place, patch: Patch, clock: FieldClock | undefined): Place {
  const clocks = clock === undefined ? NO_CLOCKS : { ...NO_CLOCKS, written: clock };
  if ('value' in patch) return { value: patch.value, clocks };
  if (patch.size === 0) return isJsonObject(place.value) ? place : { value: new Map(), clocks };
  const written = [...patch].map(([name, below]): [string, Place] => [
    name,
    replacePlace(memberOf(place, name), below, clock),
  ]);
  return withMembers(place, written);
}

function overwritePlace(place: Place, value: Json, clock: FieldClock): Place {
  const kept = keepLater(value, place, (held) => !isLater(clock, held));
  return { value: kept.value, clocks: { ...kept.clocks, written: clock } };
}

function open({ value, clocks }: Place, clock: FieldClock): Place {
  const isNewest = clocks.opened === undefined || isLater(clock, clocks.opened);
  return { value: isJsonObject(value) ? value : new Map(), clocks: isNewest ? { ...clocks, opened: clock } : clocks };
}

function memberOf({ value, clocks }: Place, name: string): Place {
  return { value: isJsonObject(value) ? value.get(name) : undefined, clocks: clocks.members.get(name) ?? NO_CLOCKS };
}

/** The place with these members in it. A write below makes an object of what is none, as in RFC 7396. */
function withMembers({ value, clocks }: Place, named: readonly (readonly [string, Place])[]): Place {
  const written = new Map(isJsonObject(value) ? value : []);
  const members = new Map(clocks.members);
  for (const [name, member] of named) {
    if (member.value !== undefined) written.set(name, member.value);
    if (hasClocks(member.clocks)) members.set(name, member.clocks);
    else members.delete(name);
  }
  return { value: written, clocks: { ...clocks, members } };
}
