/** A small WMS: `node dist/examples/wms.js --port 4020`. */
import { runRecordServer } from './run-record-server.js';

await runRecordServer('wms', 4020);
