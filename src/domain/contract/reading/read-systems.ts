import type { System } from '../contract.js';
import type { Place } from './place.js';
import { readIngest } from './read-ingest.js';
import { readNormalize } from './read-normalize.js';
import type { Reading } from './reading.js';
import { readConnection } from './targets/read-connection.js';
import { readDeliver } from './targets/read-deliver.js';

export function readSystems(reading: Reading): Map<string, System> {
  const systems = new Map<string, System>();
  for (const [name, place] of reading.root.at('systems')?.entries() ?? []) {
    systems.set(name, readSystem(reading, name, place));
  }
  return systems;
}

function readSystem(reading: Reading, name: string, place: Place): System {
  const ingest = place.at('ingest');
  const deliver = place.at('deliver');
  if (ingest === undefined && deliver === undefined) {
    reading.mistakes.atKey(place, 'this system has neither `ingest` nor `deliver`, so it does nothing');
  }
  const written = place.at('connection');
  const connection = written && readConnection(reading, written);
  return {
    name,
    externalIds: { normalize: readNormalize(place.at('external_ids')) },
    ...(ingest === undefined ? {} : { ingest: readIngest(reading, name, ingest) }),
    ...(connection && { connection }),
    ...(deliver === undefined ? {} : { deliver: readDeliver(reading, name, deliver, connection) }),
  };
}
