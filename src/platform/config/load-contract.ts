import { readFile } from 'node:fs/promises';
import type { Contract } from '../../domain/contract/contract.js';
import { formatMistake } from '../../domain/contract/format-mistake.js';
import { readContract } from '../../domain/contract/read-contract.js';

export interface LoadedContract {
  readonly contract: Contract;
  /** The file as it was read, with the names of its variables and not their values. */
  readonly text: string;
}

/**
 * Reads the contract that will be served.
 *
 * @param env values for `${NAME}` in the file
 * @throws Error that lists every mistake with its place, as `crosswalk check` does
 */
export async function loadContract(file: string, env: (name: string) => string | undefined): Promise<LoadedContract> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The contract ${file} cannot be read (${reason}). CROSSWALK_CONFIG names the file.`);
  });
  const read = readContract(text, env);
  if (read.kind === 'contract') return { contract: read.contract, text };
  const lines = read.mistakes.map((mistake) => formatMistake(file, mistake)).join('\n');
  throw new Error(`The contract is refused, nothing was started:\n${lines}`);
}
