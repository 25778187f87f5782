import type { Contract } from './contract.js';
import type { Mistake } from './mistake.js';
import { checkSchema } from './reading/check-schema.js';
import { Mistakes } from './reading/mistakes.js';
import { parseYaml } from './reading/parse-yaml.js';
import { readAccessKeys } from './reading/read-access-keys.js';
import { readEntityTypes } from './reading/read-entity-types.js';
import { readEventTypes } from './reading/read-event-types.js';
import { readSettings } from './reading/read-settings.js';
import { readSystems } from './reading/read-systems.js';
import type { Reading } from './reading/reading.js';

export interface Examination {
  /** In the order of the file. */
  readonly mistakes: readonly Mistake[];
  /** Absent when the file has a mistake. Where only variables are unset it has gaps: good to look at, not to serve. */
  readonly contract?: Contract;
}

/** Reads a contract and looks for every mistake at once: in the YAML, against the schema, and in what it means. */
export function examineContract(text: string, env: (name: string) => string | undefined): Examination {
  const mistakes = new Mistakes();
  const root = parseYaml(text, mistakes);
  if (root === undefined) return { mistakes: mistakes.inFileOrder() };
  const reading = { root, env, mistakes, callerByKey: new Map<string, string>() };
  checkSchema(root, mistakes);
  const contract = readSections(reading);
  const found = mistakes.inFileOrder();
  return found.some(({ kind }) => kind === 'mistake') ? { mistakes: found } : { mistakes: found, contract };
}

/** Reads on past every mistake, with gaps in their places, so that one does not hide the next. */
function readSections(reading: Reading): Contract {
  return {
    entityTypes: readEntityTypes(reading),
    eventTypes: readEventTypes(reading),
    systems: readSystems(reading),
    accessKeys: readAccessKeys(reading),
    settings: readSettings(reading),
  };
}
