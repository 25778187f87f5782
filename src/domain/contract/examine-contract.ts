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
import { refuseNotThereYet } from './reading/refuse-not-there-yet.js';

export interface Examination {
  /** In the order of the file. */
  readonly mistakes: readonly Mistake[];
  /** Absent when the file has a mistake. Where only variables are unset it has gaps: good to look at, not to serve. */
  readonly contract?: Contract;
}

type Environment = (name: string) => string | undefined;

/**
 * Reads a contract and looks for every mistake at once: in the YAML, against the schema, in what it means, and in what
 * of that this version cannot do.
 */
export function examineContract(text: string, env: Environment): Examination {
  return examine(text, env, refuseNotThereYet);
}

/** As examineContract, with what is understood and not there yet: for tests of the readers, and nobody else. */
export function examineWholeGrammar(text: string, env: Environment): Examination {
  return examine(text, env, () => undefined);
}

function examine(text: string, env: Environment, refuse: typeof refuseNotThereYet): Examination {
  const mistakes = new Mistakes();
  const root = parseYaml(text, mistakes);
  if (root === undefined) return { mistakes: mistakes.inFileOrder() };
  const reading = { root, env, mistakes, callerByKey: new Map<string, string>() };
  checkSchema(root, mistakes);
  const contract = readSections(reading);
  refuse(root, mistakes);
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
