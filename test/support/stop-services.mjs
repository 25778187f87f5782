/** Jest's global tear-down: the same module instance as in the set-up, so it knows what was started. */
export default async function stopServices() {
  const { stopTestServices } = await import('../../dist/test/support/test-services.js');
  await stopTestServices();
}
