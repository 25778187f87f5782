import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { uuidV7 } from '../../domain/ids.js';
import { writeOnce } from './write-once.js';

const FILE_NAME = 'admin-key';

export interface FirstAdminKey {
  readonly key: string;
  readonly file: string;
  /** True on the start that made it: only then it is printed. */
  readonly isNew: boolean;
}

/** The admin key for a contract that names no access key: made once and kept where only its owner can read it. */
export async function firstAdminKey(dataFolder: string): Promise<FirstAdminKey> {
  const file = join(dataFolder, FILE_NAME);
  const drawn = randomBytes(24).toString('base64url');
  const isNew = await writeOnce(file, `cwk_${drawn}\n`, uuidV7(Date.now()));
  const key = (await readFile(file, 'utf8')).trim();
  if (key === '') throw new Error(`${file} is empty; delete it, and the next start makes a new admin key.`);
  return { key, file, isNew };
}
