import { describe, expect, test } from '@jest/globals';
import { outgoingTraceparent } from './trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

const traceOf = (incoming: string | null, correlationId = 'p-1'): string | undefined =>
  FORM.exec(outgoingTraceparent(incoming, correlationId))?.[1];

describe('the traceparent of an outgoing call', () => {
  test('continues the trace of the event under a span of its own, with its flags', () => {
    for (const flags of ['00', '01']) {
      const [, trace, span, outFlags] = FORM.exec(outgoingTraceparent(`00-${TRACE}-${PARENT}-${flags}`, 'p-1')) ?? [];
      expect([trace, outFlags]).toEqual([TRACE, flags]);
      expect(span).not.toBe(PARENT);
    }
  });

  test('has another span each time', () => {
    expect(outgoingTraceparent(null, 'p-1')).not.toBe(outgoingTraceparent(null, 'p-1'));
  });

  test('gives all calls of one process one trace where the event came without', () => {
    expect(traceOf(null)).toBe(traceOf(null));
    expect(traceOf(null, 'p-1')).not.toBe(traceOf(null, 'p-2'));
  });

  test.each([
    '',
    'junk',
    TRACE,
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01\r\nx: y`,
    `00-${TRACE}x-${PARENT}-01`,
  ])('starts a trace of its own after %j', (incoming) => {
    expect(traceOf(incoming)).toBe(traceOf(null));
  });

  // By the W3C's rules these are invalid as a whole, and nothing of them may be used.
  test.each([
    ['version ff', `ff-${TRACE}-${PARENT}-01`],
    ['a parent of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ])('starts a trace of its own after %s', (_what, incoming) => {
    expect(traceOf(incoming)).toBe(traceOf(null));
  });
});
