import { isDeepStrictEqual } from 'node:util';
import { nameOf } from './expected-world.js';
import type { Data, ExpectedEntity, ExpectedWorld } from './expected-world.js';
import type { ObservedEntity, ObservedRecord, ObservedWorld } from './observed-world.js';

/** What went missing, what is there more than once, and what says something else than it should; each in one sentence. */
export interface Findings {
  readonly lost: string[];
  readonly doubled: string[];
  readonly wrong: string[];
}

/** Every violation, named by the event or entity. */
export function compareWorlds(expected: ExpectedWorld, observed: ObservedWorld): Findings {
  const findings: Findings = { lost: [], doubled: [], wrong: [] };
  compareEvents(expected, observed, findings);
  const entitiesByName = groupBy(observed.entities, ({ type, externalId }) => nameOf(type, externalId));
  const recordsByRef = groupBy(observed.records, ({ ref }) => ref ?? '');
  for (const entity of expected.entities) {
    const name = nameOf(entity.type, entity.externalId);
    const found = entitiesByName.get(name) ?? [];
    expectOne(findings, name, found.length);
    entitiesByName.delete(name);
    const [only] = found;
    if (only === undefined) continue;
    compareEntity(entity, only, findings);
    compareRecords(entity, only, recordsByRef.get(only.internalId) ?? [], findings);
    recordsByRef.delete(only.internalId);
  }
  for (const name of entitiesByName.keys()) findings.wrong.push(`nobody ever spoke of ${name}`);
  for (const [ref, records] of recordsByRef) {
    for (const { target, id } of records) findings.wrong.push(`${target} has ${id} of ${ref}, which is no entity`);
  }
  findings.wrong.push(...observed.conflicts.map((conflict) => `nobody contradicts anybody, but: ${conflict}`));
  return findings;
}

function compareEvents({ ends }: ExpectedWorld, { events }: ObservedWorld, findings: Findings): void {
  const byKey = groupBy(events, ({ key }) => key);
  for (const [key, end] of ends) {
    const found = byKey.get(key) ?? [];
    expectOne(findings, `event ${key}`, found.length);
    const [event] = found;
    if (event === undefined) continue;
    if (event.status !== end) findings.wrong.push(`event ${key} is ${event.status}, not ${end}`);
    if (end === 'COMPLETED') expectOne(findings, `the effect of event ${key}`, event.ends);
    else if (event.ends > 0) findings.wrong.push(`event ${key} took effect although it has to wait`);
  }
  for (const key of byKey.keys()) if (!ends.has(key)) findings.wrong.push(`nobody sent event ${key}`);
}

function compareEntity(expected: ExpectedEntity, found: ObservedEntity, findings: Findings): void {
  const name = nameOf(expected.type, expected.externalId);
  if (found.isDeleted !== expected.isDeleted) {
    findings.wrong.push(`${name} is ${found.isDeleted ? '' : 'not '}deleted`);
  } else if (!expected.isDeleted && !isSameData(found.data ?? {}, expected.data ?? {})) {
    findings.wrong.push(`${name} says ${said(found.data)}, not ${said(expected.data)}`);
  }
  if (expected.path !== undefined && !isDeepStrictEqual(found.path, expected.path)) {
    findings.wrong.push(`${name} went ${said(found.path)}, not ${said(expected.path)}`);
  }
}

function compareRecords(
  expected: ExpectedEntity,
  { linkedAs }: ObservedEntity,
  records: readonly ObservedRecord[],
  findings: Findings,
): void {
  const name = nameOf(expected.type, expected.externalId);
  const byTarget = groupBy(records, ({ target }) => target);
  for (const target of new Set([...expected.targets, ...byTarget.keys()])) {
    const there = byTarget.get(target) ?? [];
    const isOptional = expected.isDeleted;
    if (there.length > 0 || !isOptional) expectOne(findings, `the record of ${name} at ${target}`, there.length);
    for (const { id, data } of there) {
      const allowed = expected.isDeleted ? expected.formerData : [expected.data ?? {}];
      if (!allowed.some((each) => isSameData(data, each))) {
        findings.wrong.push(`${target} says of ${name} ${said(data)}, not ${said(expected.data)}`);
      }
      if (linkedAs[target] !== id) {
        findings.wrong.push(`${name} is linked to ${String(linkedAs[target])} at ${target}, not to ${id}`);
      }
    }
  }
}

function expectOne({ lost, doubled }: Findings, what: string, count: number): void {
  if (count === 0) lost.push(what);
  if (count > 1) doubled.push(`${what}: ${count} times`);
}

/** Lists are compared as sets: their order is that of the arrival, which nobody promised. */
function isSameData(a: Data, b: Data): boolean {
  return isDeepStrictEqual(withSortedLists(a), withSortedLists(b));
}

function withSortedLists(data: Data): Data {
  const sorted = (value: unknown): unknown => (Array.isArray(value) ? value.map(spelling).sort() : value);
  return Object.fromEntries(Object.entries(data).map(([field, value]) => [field, sorted(value)]));
}

/** Members of an element in one order, whatever the order in which they were sent. */
function spelling(element: unknown): string {
  if (typeof element !== 'object' || element === null) return JSON.stringify(element);
  return JSON.stringify(Object.entries(element).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function said(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}

function groupBy<T>(items: readonly T[], nameOfItem: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = nameOfItem(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}
