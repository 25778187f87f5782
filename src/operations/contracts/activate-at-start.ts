import type { Database } from '../../platform/database/database.js';
import { ContractsService } from './contracts.service.js';
import type { Danger } from './count-endangered.js';
import { changeLine, meaningOf } from './describe-change.js';

/**
 * Makes the contract that is about to be served the active one.
 *
 * @returns its number
 * @throws Error that names every change that contradicts what is stored, and the command that shows and accepts it
 */
export async function activateAtStart(database: Database, file: string, text: string): Promise<number> {
  const activation = await new ContractsService(database).activate(text);
  if (activation.kind === 'active') return activation.number;
  const { against, dangers } = activation;
  const reason = `it contradicts what is stored under contract ${String(against)}, which is active`;
  const way = 'See what it would do, and accept it, with: npx crosswalk contract migrate';
  const lines = dangers.flatMap((danger) => dangerLines(danger, file));
  throw new Error([`The contract is refused, nothing was started: ${reason}.`, ...lines, way].join('\n'));
}

function dangerLines({ change }: Danger, file: string): readonly string[] {
  return [changeLine(change, file), `  ${meaningOf(change.kind) ?? ''}`];
}
