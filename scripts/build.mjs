import { build, fail, installIfNeeded, requireNode } from './prepare.mjs';

requireNode();
await installIfNeeded().catch(fail);
await build().catch(fail);
