/** A small ERP: `node dist/examples/erp.js --port 4010`. */
import { runRecordServer } from './run-record-server.js';

await runRecordServer('erp', 4010);
