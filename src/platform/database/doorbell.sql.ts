import type { Tx } from './database.js';

const DOORBELL_CHANNEL = 'crosswalk_work';

export const LISTEN_TO_DOORBELL = `LISTEN ${DOORBELL_CHANNEL}`;

/** In a statement of its own: NOTIFY inside the commit of a hot path makes all commits queue behind one lock. */
export async function notifyDoorbell(tx: Tx): Promise<void> {
  await tx.query(`SELECT pg_notify('${DOORBELL_CHANNEL}', '')`);
}
