import type { Condition, ConditionTest } from '../condition.js';
import type { WebhookRule } from '../contract.js';
import { isSamePlace } from '../selector.js';
import type { Place } from './place.js';
import type { Reading } from './reading.js';

/** Complains about each rule whose every webhook an earlier rule takes already. */
export function checkRuleIsReached(reading: Reading, places: readonly Place[], rules: readonly WebhookRule[]): void {
  const read = places.flatMap((place, index) => {
    const rule = rules[index];
    return rule === undefined || !isUnderstood(place, rule) ? [] : { place, rule };
  });
  read.forEach(({ place, rule }, index) => {
    const taker = read
      .slice(0, index)
      .find(
        (earlier) =>
          listOf(earlier.rule) === listOf(rule) &&
          earlier.rule.when.every((condition) => follows(condition, rule.when)),
      );
    if (taker === undefined) return;
    const message = `this rule is never reached: the rule in line ${taker.place.position.line} takes everything it would`;
    reading.mistakes.atKey(place, message);
  });
}

/** A rule that lost a condition to another mistake would seem to take more than it does. */
function isUnderstood(place: Place, { when }: WebhookRule): boolean {
  const written = place.at('when');
  if (written === undefined) return true;
  const isWhole = written.isBlock() && written.keys().length === when.length;
  return isWhole && when.every(({ test }) => test.kind !== 'any_of' || test.texts.length > 0);
}

/** Rules compete for the elements of one list, or for the body. */
function listOf(rule: WebhookRule): string | undefined {
  return rule.kind === 'answer' ? undefined : rule.each?.source;
}

function follows(condition: Condition, from: readonly Condition[]): boolean {
  return from.some(({ place, test }) => isSamePlace(place, condition.place) && implies(test, condition.test));
}

/** Whether every value that passes the one test passes the other; false also where that is not seen. */
function implies(one: ConditionTest, other: ConditionTest): boolean {
  if (one.kind === 'any_of' && other.kind === 'any_of') return one.texts.every((text) => other.texts.includes(text));
  if (one.kind === 'any_of' && other.kind === 'matches') {
    return one.texts.every((text) => other.pattern.matcher(text).find());
  }
  if (other.kind === 'exists') return other.expected ? findsSomething(one) : isSame(one, other);
  return isSame(one, other);
}

function findsSomething(test: ConditionTest): boolean {
  return test.kind === 'any_of' || test.kind === 'matches' || (test.kind === 'exists' && test.expected);
}

function isSame(one: ConditionTest, other: ConditionTest): boolean {
  return spelt(one) === spelt(other);
}

function spelt(test: ConditionTest): string {
  switch (test.kind) {
    case 'any_of':
      return `any_of ${JSON.stringify(test.texts.toSorted())}`;
    case 'exists':
      return `exists ${String(test.expected)}`;
    case 'matches':
      return `matches ${test.pattern.pattern()}`;
    case 'not':
      return `not ${spelt(test.test)}`;
  }
}
