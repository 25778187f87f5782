import { chmod, mkdir } from 'node:fs/promises';

/**
 * The folder where root keeps what PostgreSQL's user must reach while the checkout lies in a private folder such as
 * /root. Modes are set by hand because a strict umask would make this folder private as well.
 */
export async function preparePlaceForEveryUser(): Promise<string> {
  const place = '/var/lib/crosswalk';
  await mkdir(place, { recursive: true });
  await chmod(place, 0o755);
  return place;
}
