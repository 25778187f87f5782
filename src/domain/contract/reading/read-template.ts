import { parseTemplate, selectorsOf, type Template } from '../template.js';
import type { Place } from './place.js';
import { selectorFault } from './read-selector.js';
import { variableFault } from './read-variable.js';
import type { Reading } from './reading.js';

/** The template at `place`, or undefined with a complaint. */
export function readTemplate(reading: Reading, place: Place | undefined): Template | undefined {
  const source = place?.text();
  if (place === undefined || source === undefined) return undefined;
  const template = parseTemplate(source);
  if (template === undefined) reading.mistakes.atValue(place, templateFault(source));
  return template;
}

/** As readTemplate, for a part that must differ from event to event and therefore needs a hole. */
export function readTemplateWithHole(reading: Reading, place: Place | undefined): Template | undefined {
  const template = readTemplate(reading, place);
  if (place === undefined || template === undefined || selectorsOf(template).length > 0) return template;
  const meant = template.source.startsWith('/') ? ` (did you mean \`{${template.source}}\`?)` : '';
  reading.mistakes.atValue(
    place,
    `expected a hole such as \`{/id}\`${meant}; without one every event would have the same`,
  );
  return undefined;
}

/**
 * As readTemplateWithHole, for a text that identifies something. Holes need a `:` between them: values are encoded
 * against it, so `ab` + `c` stays apart from `a` + `bc`.
 */
export function readIdentifyingTemplate(reading: Reading, place: Place | undefined): Template | undefined {
  const template = readTemplateWithHole(reading, place);
  if (place === undefined || template === undefined) return template;
  const [, ...betweens] = template.source.split(/\{[^{}]*\}/).slice(0, -1);
  if (betweens.every((between) => between.includes(':'))) return template;
  reading.mistakes.atValue(place, 'expected a `:` between two holes; without it different values could make one text');
  return undefined;
}

function templateFault(source: string): string {
  const fault = variableFault(source);
  if (fault !== undefined) return fault;
  for (const [, hole = ''] of source.matchAll(/\{([^{}]*)\}/g)) {
    if (parseTemplate(`{${hole}}`) === undefined) return selectorFault(hole);
  }
  return 'a brace is open or closed that has no partner; holes are written `{/id}`';
}
