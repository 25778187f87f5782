import type { Pointer } from '../../pointer.js';
import type { ChangeCall, CreateCall, FindCall, TargetEntity } from '../../target.js';
import type { Place } from '../place.js';
import { readPointer } from '../read-pointer.js';
import type { Reading } from '../reading.js';
import type { HoleWord } from './hole-scope.js';
import { checkEndIsTold, readAcceptance } from './read-acceptance.js';
import { readCall, type CallSetting, type TargetSetting } from './read-call.js';
import { readNeeds } from './read-needs.js';

/** Stands in for a pointer that could not be read; a contract with one is never used. */
const UNREAD: Pointer = { source: '', steps: [] };
const OURS: readonly HoleWord[] = ['internal_id'];
const BOTH: readonly HoleWord[] = ['internal_id', 'external_id'];

export interface TargetEntityName {
  readonly system: string;
  readonly entityType: string;
}

export function readTargetEntity(
  reading: Reading,
  place: Place,
  { system, entityType }: TargetEntityName,
  shared: TargetSetting,
): TargetEntity {
  const needs = readNeeds(reading, place.at('needs'), entityType);
  const setting = { ...shared, needs: needs.map((need) => need.entityType) };
  const [find, create, upsert] = [place.at('find'), place.at('create'), place.at('upsert')];
  const [update, deletion] = [place.at('update'), place.at('delete')];
  checkCalls(reading, place);
  checkEndIsTold(reading, system, entityType, create);
  return {
    ...(needs.length > 0 && { needs }),
    ...(find && { find: readFind(reading, find, setting) }),
    ...(create && { create: readCreate(reading, create, setting) }),
    ...(update && { update: readChange(reading, update, setting) }),
    ...(upsert && { upsert: { ...readCall(reading, upsert, OURS, setting), externalId: readId(reading, upsert) } }),
    ...(deletion && { delete: readChange(reading, deletion, setting) }),
  };
}

/** `upsert` is one call for both: beside `create` or `update` nobody could say which of them is made. */
function checkCalls(reading: Reading, place: Place): void {
  const upsert = place.at('upsert');
  const other = ['create', 'update'].find((call) => place.has(call));
  if (upsert !== undefined && other !== undefined) {
    reading.mistakes.atKey(upsert, `\`upsert\` creates and updates; \`${other}\` beside it would never be made`);
  }
  if (upsert !== undefined && !place.has('find')) {
    reading.mistakes.warn(upsert, 'without `find` a record whose id the answer leaves out is never linked');
  }
  if (upsert !== undefined || other !== undefined) return;
  reading.mistakes.atKey(place, 'expected `create`, `update` or both, or `upsert`; without them nothing is ever sent');
}

function readFind(reading: Reading, place: Place, setting: CallSetting): FindCall {
  const items = readPointer(reading, place.at('items'));
  return { ...readCall(reading, place, OURS, setting), externalId: readId(reading, place), ...(items && { items }) };
}

function readCreate(reading: Reading, place: Place, setting: CallSetting): CreateCall {
  const accepted = place.at('accepted');
  return {
    ...readCall(reading, place, OURS, setting),
    externalId: readId(reading, place),
    ...(accepted && { accepted: readAcceptance(reading, accepted, setting) }),
    ...(place.at('on_unknown')?.text() === 'retry' && { onUnknown: 'retry' }),
  };
}

function readChange(reading: Reading, place: Place, setting: CallSetting): ChangeCall {
  const before = place.at('before');
  if (before === undefined) return readCall(reading, place, BOTH, setting);
  return {
    ...readCall(reading, place, [...BOTH, 'current'], setting),
    before: readCall(reading, before, BOTH, setting),
  };
}

function readId(reading: Reading, call: Place): Pointer {
  return readPointer(reading, call.at('external_id')) ?? UNREAD;
}
