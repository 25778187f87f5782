import { PASSPORT_BOUNDS, REJECT_REASON_BYTES_MAX } from '../../domain/retry-passport.js';

/** The `retry` object of an envelope. */
export const RETRY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  description:
    'The retry passport: what to do when this event, or a delivery that it asks for, fails. Absent members are ' +
    'those of the contract. It is no part of the fact: of several copies the first one says it.',
  properties: {
    max_retry: { type: 'integer', ...boundsOf('max_retry'), description: 'Attempts after the first.' },
    backoff_base: { type: 'number', ...boundsOf('backoff_base'), description: 'Seconds.' },
    backoff_jitter: { type: 'integer', ...boundsOf('backoff_jitter'), description: 'Milliseconds.' },
    retry_count: {
      type: 'integer',
      ...boundsOf('retry_count'),
      description: 'Attempts that failed before the event came to us; kept, and spends none of ours.',
    },
    reject_reason: {
      type: 'string',
      minLength: 1,
      description: `Why the last of these failed; at most ${String(REJECT_REASON_BYTES_MAX)} bytes.`,
    },
  },
};

function boundsOf(member: keyof typeof PASSPORT_BOUNDS): { readonly minimum: number; readonly maximum: number } {
  const { min, max } = PASSPORT_BOUNDS[member];
  return { minimum: min, maximum: max };
}
