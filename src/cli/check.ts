import { readFile } from 'node:fs/promises';
import type { Contract } from '../domain/contract/contract.js';
import { examineContract } from '../domain/contract/examine-contract.js';
import { formatMistake } from '../domain/contract/format-mistake.js';

/** Where the lines go: `log` for what was asked for, `error` for why it could not be had. */
export interface Terminal {
  log(line: string): void;
  error(line: string): void;
}

/**
 * Prints every mistake of the contract in `file`, or what it holds. Variables that are not set here are warnings as
 * well: a contract is written and reviewed where its secrets are not. Returns the exit code: 0, 1 for mistakes, 2 when the
 * file cannot be read.
 */
export async function check(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<number> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => error as Error);
  if (typeof text !== 'string') {
    terminal.error(`${file} cannot be read: ${text.message}`);
    return 2;
  }
  const { contract, mistakes } = examineContract(text, (name) => environment[name]);
  for (const mistake of mistakes) {
    const isWarning = mistake.kind !== 'mistake';
    terminal.log(formatMistake(file, isWarning ? { ...mistake, message: `warning: ${mistake.message}` } : mistake));
  }
  if (contract === undefined) return 1;
  terminal.log(`${file}: ${contentsOf(contract)}`);
  return 0;
}

function contentsOf(contract: Contract): string {
  const rules = [...contract.systems.values()].flatMap((system) => system.ingest?.webhooks ?? []);
  return [
    counted(contract.systems.size, 'system'),
    counted(contract.entityTypes.size, 'entity type'),
    counted(contract.eventTypes.size, 'event type'),
    counted(rules.length, 'webhook rule'),
  ].join(', ');
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
