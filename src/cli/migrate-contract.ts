import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import type { ContractChange } from '../domain/contract/contract-change.js';
import { examineContract } from '../domain/contract/examine-contract.js';
import { formatMistake } from '../domain/contract/format-mistake.js';
import { ContractsService, type Preview } from '../operations/contracts/contracts.service.js';
import { changeLine, effectLine } from '../operations/contracts/describe-change.js';
import { readEnvironment, type Environment } from '../platform/config/environment.js';
import type { Database } from '../platform/database/database.js';
import { explainUnreachable } from '../platform/database/explain-unreachable.js';
import { migrate } from '../platform/database/migrate.js';
import { openPostgres } from '../platform/database/open-postgres.js';
import { withDatabase } from '../platform/database/with-database.js';
import type { Terminal } from './check.js';

export interface MigrateContractOptions {
  /** Make the contract the active one, whatever it contradicts; otherwise nothing is changed. */
  readonly accept: boolean;
}

/**
 * Shows what the contract of CROSSWALK_CONFIG would change against the active one and what is stored that it
 * contradicts; with `accept` makes it the active one. The schema is brought up to date first, as at every start.
 * Returns the exit code: 0 when it may be served, 1 for mistakes and for what nobody has accepted, 2 when the command
 * could not be carried out.
 */
export async function migrateContract(
  { accept }: MigrateContractOptions,
  variables: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<number> {
  try {
    const environment = readEnvironment(variables);
    const text = await readFile(environment.CROSSWALK_CONFIG, 'utf8');
    if (printMistakes(environment.CROSSWALK_CONFIG, text, terminal) > 0) return 1;
    return await onDatabase(environment, terminal, async (database) => {
      const contracts = new ContractsService(database);
      const preview = await contracts.preview(text);
      printPreview(environment.CROSSWALK_CONFIG, preview, terminal);
      if (accept) return acceptContract(contracts, text, preview, terminal);
      if (preview.dangers.length === 0) return 0;
      terminal.log('Nothing was changed. To accept this: npx crosswalk contract migrate --accept');
      return 1;
    });
  } catch (error) {
    terminal.error(error instanceof Error ? error.message : String(error));
    return 2;
  }
}

/** Variables need no values: secrets are no part of what is compared. */
function printMistakes(file: string, text: string, terminal: Terminal): number {
  const mistakes = examineContract(text, () => undefined).mistakes.filter(({ kind }) => kind === 'mistake');
  for (const mistake of mistakes) terminal.log(formatMistake(file, mistake));
  return mistakes.length;
}

async function onDatabase(
  environment: Environment,
  terminal: Terminal,
  work: (database: Database) => Promise<number>,
): Promise<number> {
  const postgres = await openPostgres(environment, (progress) => {
    terminal.error(progress);
  });
  try {
    await migrate(postgres.url).catch(explainUnreachable);
    return await withDatabase(postgres.url, work);
  } finally {
    await postgres.stop();
  }
}

function printPreview(file: string, { against, changes, dangers }: Preview, terminal: Terminal): void {
  if (against === undefined) {
    terminal.log(`${file}: no contract was active yet; the first start makes this one number 1`);
    return;
  }
  for (const danger of dangers) {
    terminal.log(changeLine(danger.change, file));
    terminal.log(`  ${effectLine(danger)}`);
  }
  const inDanger = new Set<ContractChange>(dangers.map(({ change }) => change));
  for (const change of changes.filter((each) => !inDanger.has(each))) terminal.log(changeLine(change, file));
  const counts = `changes: ${String(changes.length)}, against what is stored: ${String(dangers.length)}`;
  terminal.log(`${file}: compared with contract ${String(against)}, which is active; ${counts}`);
}

async function acceptContract(
  contracts: ContractsService,
  text: string,
  { against }: Preview,
  terminal: Terminal,
): Promise<number> {
  const activation = await contracts.activate(text, against === undefined ? undefined : { by: userName(), against });
  if (activation.kind === 'active') {
    terminal.log(
      `This is contract ${String(activation.number)} now, and active. Processes take it up when they start.`,
    );
    return 0;
  }
  const current = `contract ${String(activation.against)} became active in the meantime`;
  terminal.error(`Nothing was accepted: ${current}, and this was compared with another. Look again.`);
  return 1;
}

/** As the operating system names whoever accepts; a user without a name has a number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${String(process.getuid?.() ?? 'unknown')}`;
  }
}
