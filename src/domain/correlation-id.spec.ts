import { expect, test } from '@jest/globals';
import { isSafeCorrelationId } from './correlation-id.js';

test.each(['a', 'ORD-7', '0192f0c1-7d3e-7000-8000-000000000000', 'a.b:c@d/e+f=g~h_i', 'x'.repeat(128)])(
  '%j goes on as it is',
  (id) => {
    expect(isSafeCorrelationId(id)).toBe(true);
  },
);

test.each([undefined, '', ' ', 'a b', 'a\n', 'a\r\nx: y', 'é', 'a\u0000', '"', '<script>', '{}', 'x'.repeat(129)])(
  '%j does not get into logs and headers',
  (id) => {
    expect(isSafeCorrelationId(id)).toBe(false);
  },
);
