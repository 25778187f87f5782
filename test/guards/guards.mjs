import { CLAIMS } from './claims.mjs';
import { DEAD_LETTERS } from './dead-letters.mjs';
import { DELIVERY } from './delivery.mjs';
import { GRAMMAR } from './grammar.mjs';
import { MEMORY } from './memory.mjs';
import { PARKING_AND_LOCKS } from './parking.mjs';
import { REDIS_GUARD } from './redis-guard.mjs';
import { RETRIES } from './retry.mjs';

/** In the order of the journey. The fields are described in guards.d.mts. */
export const GROUPS = [
  { title: 'The contract', guards: GRAMMAR },
  { title: 'One fact, one event', guards: MEMORY },
  { title: 'The memory in Redis', guards: REDIS_GUARD },
  { title: 'Claims, fences and leases', guards: CLAIMS },
  { title: 'Waiting and locks', guards: PARKING_AND_LOCKS },
  { title: 'Deliveries and creates', guards: DELIVERY },
  { title: 'Retries', guards: RETRIES },
  { title: 'Dead letters', guards: DEAD_LETTERS },
];

export const GUARDS = GROUPS.flatMap(({ guards }) => guards);
