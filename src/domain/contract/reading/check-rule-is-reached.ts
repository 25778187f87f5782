import type { Condition, WebhookRule } from '../contract.js';
import type { Place } from './place.js';
import type { Reading } from './reading.js';

/** Complains about each rule whose every webhook an earlier rule takes already. */
export function checkRuleIsReached(reading: Reading, places: readonly Place[], rules: readonly WebhookRule[]): void {
  const read = places.map((place, index) => ({ place, when: rules[index]?.when ?? [] })).filter(isUnderstood);
  read.forEach(({ place, when }, index) => {
    const taker = read.slice(0, index).find((earlier) => earlier.when.every((condition) => follows(condition, when)));
    if (taker === undefined) return;
    const message = `this rule is never reached: the rule in line ${taker.place.position.line} takes everything it would`;
    reading.mistakes.atKey(place, message);
  });
}

interface ReadRule {
  readonly place: Place;
  readonly when: readonly Condition[];
}

/** A rule that lost a condition to another mistake would seem to take more than it does. */
function isUnderstood({ place, when }: ReadRule): boolean {
  const written = place.at('when');
  if (written === undefined) return true;
  const isWhole = written.isBlock() && written.keys().length === when.length;
  return isWhole && when.every(({ anyOf }) => anyOf.length > 0);
}

function follows(condition: Condition, from: readonly Condition[]): boolean {
  return from.some(
    ({ pointer, anyOf }) =>
      pointer.source === condition.pointer.source && anyOf.every((text) => condition.anyOf.includes(text)),
  );
}
