import { Inbox1700000000001 } from './0001-inbox.js';
import { Work1700000000002 } from './0002-work.js';
import { IdMap1700000000003 } from './0003-id-map.js';
import { Entities1700000000004 } from './0004-entities.js';
import { Deliveries1700000000005 } from './0005-deliveries.js';
import { Trace1700000000006 } from './0006-trace.js';
import { Conflicts1700000000007 } from './0007-conflicts.js';
import { MergesAndDeletes1700000000008 } from './0008-merges-and-deletes.js';
import { Contracts1700000000009 } from './0009-contracts.js';
import { LinksAndReferences1700000000010 } from './0010-links-and-references.js';
import { WebhookRequests1700000000011 } from './0011-webhook-requests.js';
import { States1700000000012 } from './0012-states.js';
import { Parking1700000000013 } from './0013-parking.js';
import { Retries1700000000014 } from './0014-retries.js';
import { DeadLetters1700000000015 } from './0015-dead-letters.js';
import { GuardEpoch1700000000016 } from './0016-guard-epoch.js';
import { LastWait1700000000017 } from './0017-last-wait.js';
import { CreateFences1700000000018 } from './0018-create-fences.js';

/** In the order in which they run; a file that is not listed here does not run. */
export const ALL_MIGRATIONS = [
  Inbox1700000000001,
  Work1700000000002,
  IdMap1700000000003,
  Entities1700000000004,
  Deliveries1700000000005,
  Trace1700000000006,
  Conflicts1700000000007,
  MergesAndDeletes1700000000008,
  Contracts1700000000009,
  LinksAndReferences1700000000010,
  WebhookRequests1700000000011,
  States1700000000012,
  Parking1700000000013,
  Retries1700000000014,
  DeadLetters1700000000015,
  GuardEpoch1700000000016,
  LastWait1700000000017,
  CreateFences1700000000018,
];
