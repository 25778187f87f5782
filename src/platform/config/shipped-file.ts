import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Where a file is that Crosswalk is shipped with, by its path in the repository; whichever file the code runs from.
 *
 * @throws Error where no folder above the code holds the `package.json` that marks the installation
 */
export function shippedFile(path: string, from = fileURLToPath(import.meta.url)): string {
  const folder = dirname(from);
  if (existsSync(join(folder, 'package.json'))) return join(folder, path);
  if (folder === from) throw new Error(`${path} is not found: no folder above the program holds a package.json.`);
  return shippedFile(path, folder);
}
