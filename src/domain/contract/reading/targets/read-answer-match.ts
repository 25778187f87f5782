import type { AnswerMatch } from '../../answer-match.js';
import type { Condition } from '../../condition.js';
import type { Selector } from '../../selector.js';
import { selectorsOf, type Template } from '../../template.js';
import type { Place } from '../place.js';
import { readCondition } from '../read-conditions.js';
import { readTemplate } from '../read-template.js';
import type { Reading } from '../reading.js';

/** What an answer must look like, by `status` and `when`. */
export function readAnswerMatch(reading: Reading, place: Place): AnswerMatch {
  return { statuses: readStatuses(place.at('status')), when: readConditionsOf(reading, place.at('when'), []) };
}

/** The same in one block: `status` beside the places. */
export function readFlatAnswerMatch(reading: Reading, place: Place): AnswerMatch {
  return { statuses: readStatuses(place.at('status')), when: readConditionsOf(reading, place, ['status']) };
}

/** A text made of an answer, or undefined with a complaint. */
export function readAnswerTemplate(reading: Reading, place: Place | undefined): Template | undefined {
  const template = readTemplate(reading, place);
  if (place === undefined || template === undefined) return undefined;
  const fault = selectorsOf(template)
    .map(answerPlaceFault)
    .find((found) => found !== undefined);
  if (fault !== undefined) reading.mistakes.atValue(place, fault);
  return template;
}

/** The sentence about a place that no answer has. */
export function answerPlaceFault(place: Selector): string | undefined {
  if (place.kind !== 'query' && place.kind !== 'hash') return undefined;
  return `an answer has a body and headers; \`${place.source}\` is no part of it`;
}

function readStatuses(place: Place | undefined): readonly number[] {
  return (place?.oneOrMore() ?? []).flatMap((item) => item.number() ?? []);
}

function readConditionsOf(reading: Reading, place: Place | undefined, others: readonly string[]): readonly Condition[] {
  return (place?.entries() ?? []).flatMap(([key, asked]) => {
    if (others.includes(key)) return [];
    const condition = readCondition(reading, key, asked);
    const fault = condition?.place.kind === 'query' ? answerPlaceFault(condition.place) : undefined;
    if (fault !== undefined) reading.mistakes.atKey(asked, fault);
    return condition ?? [];
  });
}
