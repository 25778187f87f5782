import { buildIfNeeded } from '../../scripts/prepare.mjs';

/**
 * Jest's global set-up. It is loaded by Node and not by jest, hence the compiled files; building first also keeps
 * the suites that start `dist/service/main.js` from testing an old program.
 */
export default async function startServices() {
  await buildIfNeeded();
  const { startTestServices } = await import('../../dist/test/support/test-services.js');
  await startTestServices();
}
