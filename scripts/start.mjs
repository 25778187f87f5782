import { fail, prepare, runBuilt } from './prepare.mjs';

await prepare().catch(fail);
await runBuilt('service/main.js');
