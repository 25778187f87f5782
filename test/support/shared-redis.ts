/** The Redis of this run, for suites that neither empty nor stop it. */
export function sharedRedisUrl(): string {
  const url = process.env['TEST_REDIS_URL'];
  if (url !== undefined) return url;
  throw new Error('No Redis runs. A suite that needs one belongs into a jest project with `...services`.');
}
