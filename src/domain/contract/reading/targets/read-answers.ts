import type { AnswerCase, AnswerMeaning } from '../../target.js';
import type { Place } from '../place.js';
import type { Reading } from '../reading.js';
import { readAnswerMatch, readAnswerTemplate } from './read-answer-match.js';

const MEANINGS: readonly AnswerMeaning[] = [
  ...(['ok', 'not_found', 'exists', 'changed', 'ambiguous', 'retryable', 'throttled', 'final', 'auth'] as const),
];

/** What answers mean, from top to bottom, with a complaint about each that stands for nothing this target does. */
export function readAnswers(reading: Reading, deliver: Place): readonly AnswerCase[] {
  const places = deliver.at('answers')?.items() ?? [];
  places.forEach((place, index) => {
    checkIsAsked(reading, place, deliver.at('entities'));
    if (index < places.length - 1) checkLeavesSomething(reading, place);
  });
  return places.flatMap((place) => readAnswer(reading, place) ?? []);
}

function readAnswer(reading: Reading, place: Place): AnswerCase | undefined {
  const is = MEANINGS.find((word) => word === place.at('is')?.text());
  const match = readAnswerMatch(reading, place);
  const reason = readAnswerTemplate(reading, place.at('reason'));
  return is && { ...match, is, ...(reason && { reason }) };
}

function checkLeavesSomething(reading: Reading, place: Place): void {
  const isAny = !place.has('status') && (place.at('when')?.keys() ?? []).length === 0;
  if (isAny) reading.mistakes.atKey(place, 'this takes every answer; what stands below it is never reached');
}

/** Which calls can be answered so; `before` and `accepted` stand inside a call. Every call can fail, and succeed. */
const CALLS_OF_MEANING: Readonly<Record<string, readonly string[]>> = {
  not_found: ['find', 'update', 'delete', 'ask'],
  exists: ['create', 'upsert'],
  changed: ['before'],
  ambiguous: ['find', 'upsert'],
};

function checkIsAsked(reading: Reading, place: Place, entities: Place | undefined): void {
  const is = place.at('is');
  const meaning = is?.text() ?? '';
  const calls = CALLS_OF_MEANING[meaning];
  if (is === undefined || calls === undefined) return;
  const types = (entities?.entries() ?? []).map(([, type]) => type);
  const asked = types.filter((type) => calls.some((call) => hasCall(type, call)));
  if (asked.length === 0) {
    const message = `no call of this target can be answered \`${meaning}\`: ${NEEDED_BY[meaning] ?? ''}`;
    reading.mistakes.atValue(is, message);
  } else if (meaning === 'exists' && !asked.some((type) => type.has('find'))) {
    reading.mistakes.warn(is, 'which record exists is looked up by `find`; without one a person has to link it');
  }
}

const NEEDED_BY: Readonly<Record<string, string>> = {
  not_found: 'it is about a record that is read or changed',
  exists: 'it is about a record that is created',
  changed: 'it goes back to `before`, and no `update` or `delete` has one',
  ambiguous: 'it is about several records with our reference, which `find` and `upsert` can meet',
};

function hasCall(type: Place, call: string): boolean {
  if (call === 'before') return ['update', 'delete'].some((name) => type.at(name)?.has('before'));
  if (call === 'ask') return type.at('create')?.at('accepted')?.has('ask') === true;
  return type.has(call);
}
