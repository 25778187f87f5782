// `npm run demo`: plays the story of examples/demo.ts against a running service.
import { fail, prepare, runBuilt } from './prepare.mjs';

await prepare().catch(fail);
await runBuilt('examples/demo.js');
