import { fail, installIfNeeded, requireNode } from './prepare.mjs';
import { runJest } from './run-jest.mjs';

requireNode();
await installIfNeeded().catch(fail);
process.exitCode = await runJest(process.argv.slice(2));
