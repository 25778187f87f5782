import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE_NAME = 'admin-key';
const OWNER_ONLY = 0o600;

export interface FirstAdminKey {
  readonly key: string;
  readonly file: string;
  /** True on the start that made it: only then it is printed. */
  readonly isNew: boolean;
}

/** The admin key for a contract that names no access key: made once and kept where only its owner can read it. */
export async function firstAdminKey(dataFolder: string): Promise<FirstAdminKey> {
  const file = join(dataFolder, FILE_NAME);
  await mkdir(dataFolder, { recursive: true });
  const key = `cwk_${randomBytes(24).toString('base64url')}`;
  try {
    await writeFile(file, `${key}\n`, { mode: OWNER_ONLY, flag: 'wx' });
    return { key, file, isNew: true };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return { key: (await readFile(file, 'utf8')).trim(), file, isNew: false };
  }
}
