import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const OWNER_ONLY = 0o600;

/**
 * Puts a file in place whole, readable for its owner alone, unless there is one already. Of several that try at once
 * one succeeds, and nobody ever reads a file that is half written: it is written aside and appears under its name in
 * one step.
 *
 * @param aside a name that no other process uses
 * @returns whether this call made the file
 */
export async function writeOnce(file: string, text: string, aside: string): Promise<boolean> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${aside}`;
  await writeFile(draft, text, { mode: OWNER_ONLY, flag: 'wx' });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
