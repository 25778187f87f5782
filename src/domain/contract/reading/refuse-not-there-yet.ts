import type { Mistakes } from './mistakes.js';
import { PLACES_NOT_THERE_YET, sentence, type PlaceNotThereYet } from './not-there-yet.js';
import type { Place } from './place.js';
import { namesInBody } from './targets/names-in-body.js';

/**
 * Complains about everything in a file that is understood and that nothing carries out: served, it would be passed over
 * in silence.
 */
export function refuseNotThereYet(root: Place, mistakes: Mistakes): void {
  for (const row of PLACES_NOT_THERE_YET) {
    for (const place of placesAt([root], row.at.split('/'))) {
      const block = root.descend(place.steps.slice(0, -1));
      if (row.without === undefined || !block.has(row.without)) refuse(place, row, mistakes);
    }
  }
}

function refuse(place: Place, { words, names }: PlaceNotThereYet, mistakes: Mistakes): void {
  const text = place.text() ?? '';
  if (words !== undefined) {
    if (words.includes(text)) mistakes.atValue(place, sentence(text));
    return;
  }
  if (names === undefined) return mistakes.atKey(place, sentence(place.steps.at(-1) ?? ''));
  const used = namesInBody(text);
  const name = names.find((known) => used?.variables.has(known) === true || used?.inputs.has(known) === true);
  if (name !== undefined) mistakes.atValue(place, sentence(name));
}

function placesAt(from: readonly Place[], [step, ...rest]: readonly string[]): readonly Place[] {
  if (step === undefined) return from;
  return placesAt(
    from.flatMap((place) => next(place, step)),
    rest,
  );
}

function next(place: Place, step: string): readonly Place[] {
  if (step === '*') return place.isList() ? place.items() : place.entries().map(([, member]) => member);
  return step.split('|').flatMap((key) => place.at(key) ?? []);
}
