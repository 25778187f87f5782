import { Ajv, type ErrorObject } from 'ajv';
import schema from '../../../../config/crosswalk.schema.json' with { type: 'json' };
import { explainSchemaError } from './explain-schema-error.js';
import type { Mistakes } from './mistakes.js';
import type { Place } from './place.js';

// Not strict: `patternErrorMessage` is a word of the editors' YAML language server, unknown to Ajv. Its code runs once in
// a process, so that optimising it would double the time for nothing.
const validate = new Ajv({ allErrors: true, verbose: true, strict: false, code: { optimize: false } }).compile(schema);

/** Compares the file with the JSON Schema that editors use as well, and says each difference in one sentence. */
export function checkSchema(root: Place, mistakes: Mistakes): void {
  if (validate(root.plain())) return;
  for (const error of validate.errors ?? []) report(error, root, mistakes);
}

function report(error: ErrorObject, root: Place, mistakes: Mistakes): void {
  const explained = explainSchemaError(error);
  if (explained === undefined) return;
  const place = root.descend(stepsOf(error.instancePath));
  if (explained.at === 'value') mistakes.atValue(place, explained.message);
  else if (explained.at === 'block') mistakes.atKey(place, explained.message);
  else mistakes.atKey(place.at(explained.key) ?? place, explained.message);
}

function stepsOf(instancePath: string): readonly string[] {
  const steps = instancePath.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
