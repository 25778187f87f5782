import type { Code } from '../../domain/sync-error.js';

/** What every route that reads a JSON body can refuse it with. */
export const BODY_CODES: readonly Code[] = [
  'body.not_utf8',
  'body.not_json',
  'body.duplicate_name',
  'body.lone_surrogate',
  'body.too_deep',
  'body.too_large',
  'body.media_type',
  'body.undecodable',
  'request.too_slow',
];
