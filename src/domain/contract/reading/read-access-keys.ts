import type { AccessKey, Role } from '../contract.js';
import type { Place } from './place.js';
import { readCallerKey } from './read-secret.js';
import type { Reading } from './reading.js';

const ROLES: readonly Role[] = ['viewer', 'operator', 'admin'];

export function readAccessKeys(reading: Reading): readonly AccessKey[] {
  const lineByName = new Map<string, number>();
  return (reading.root.at('access')?.items() ?? []).map((place) => {
    const accessKey = readAccessKey(reading, place);
    checkNameIsNew(reading, place.at('name'), lineByName);
    return accessKey;
  });
}

function readAccessKey(reading: Reading, place: Place): AccessKey {
  const name = place.at('name')?.text() ?? '';
  const role = ROLES.find((word) => word === place.at('role')?.text()) ?? 'viewer';
  const key = place.at('key');
  const owner = `access key \`${name}\` in line ${place.position.line}`;
  return { name, role, key: (key && readCallerKey(reading, key, owner)) ?? '' };
}

function checkNameIsNew(reading: Reading, place: Place | undefined, lineByName: Map<string, number>): void {
  const name = place?.text();
  if (place === undefined || name === undefined) return;
  const line = lineByName.get(name);
  if (line === undefined) lineByName.set(name, place.position.line);
  else reading.mistakes.atValue(place, `an access key is called \`${name}\` already, in line ${line}`);
}
