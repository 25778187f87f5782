import { isJsonObject, type Json, type JsonObject } from '../../domain/json/json.js';
import { NO_CLOCKS, hasClocks, isLater, type ClockTree, type FieldClock } from '../../domain/field-clock.js';

/** A value with the clocks of the places in it. Undefined: nothing stands here. */
export interface Place {
  readonly value: Json | undefined;
  readonly clocks: ClockTree;
}

/** What a patch says about one place: its whole value, or only that an object stands here. */
export interface Write {
  readonly path: readonly string[];
  readonly says: { readonly value: Json } | 'object';
}

/** Each field as a whole. */
export function writesOfFields(fields: JsonObject): Write[] {
  return [...fields].map(([field, value]) => ({ path: [field], says: { value } }));
}

/**
 * A JSON Merge Patch (RFC 7396), place by place: objects are looked into, everything else is written as it stands. A
 * null is written too, so that a cleared field shows as null and does not vanish.
 */
export function writesOfMergePatch(patch: JsonObject, path: readonly string[] = []): Write[] {
  return [...patch].flatMap(([name, value]): Write[] => {
    const below = [...path, name];
    if (!isJsonObject(value)) return [{ path: below, says: { value } }];
    return value.size === 0 ? [{ path: below, says: 'object' }] : writesOfMergePatch(value, below);
  });
}

/**
 * Writes into a value what an event says, dated. Whatever the order in which writes arrive, the result is what they
 * make in the order of their clocks: a write dates everything below its place, and later writes below it stay.
 *
 * @returns undefined where a later write of this place, or of one above it, makes it meaningless
 */
export function writeAt(root: Place, { path, says }: Write, clock: FieldClock): Place | undefined {
  if (root.clocks.written !== undefined && !isLater(clock, root.clocks.written)) return undefined;
  const [name, ...rest] = path;
  if (name === undefined) return says === 'object' ? open(root, clock) : overwritePlace(root, says.value, clock);
  const member = writeAt(memberOf(root, name), { path: rest, says }, clock);
  return member && withMember(root, name, member);
}

/** Writes without a date: over everything that stands there. `clock` is what the place is dated afterwards. */
export function writeUndated(root: Place, { path, says }: Write, clock: FieldClock | undefined): Place {
  const [name, ...rest] = path;
  if (name !== undefined)
    return withMember(root, name, writeUndated(memberOf(root, name), { path: rest, says }, clock));
  const clocks = clock === undefined ? NO_CLOCKS : { ...NO_CLOCKS, written: clock };
  if (says !== 'object') return { value: says.value, clocks };
  return isJsonObject(root.value) ? root : { value: new Map(), clocks };
}

/** `base`, with everything in `held` that is later by `stays`. */
export function keepLater(base: Json | undefined, held: Place, stays: (clock: FieldClock) => boolean): Place {
  const { written, opened, members } = held.clocks;
  if (written !== undefined && stays(written)) return held;
  const isOpen = opened !== undefined && stays(opened);
  const clocks: ClockTree = isOpen ? { ...NO_CLOCKS, opened } : NO_CLOCKS;
  let kept: Place = { value: isOpen && !isJsonObject(base) ? new Map() : base, clocks };
  for (const name of members.keys()) {
    const member = keepLater(memberOf(kept, name).value, memberOf(held, name), stays);
    if (hasClocks(member.clocks)) kept = withMember(kept, name, member);
  }
  return kept;
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

/** A write below makes an object of what is none, as in RFC 7396. */
function withMember({ value, clocks }: Place, name: string, member: Place): Place {
  const written = new Map(isJsonObject(value) ? value : []);
  if (member.value !== undefined) written.set(name, member.value);
  const members = new Map(clocks.members);
  if (hasClocks(member.clocks)) members.set(name, member.clocks);
  else members.delete(name);
  return { value: written, clocks: { ...clocks, members } };
}
