import { expect, test } from '@jest/globals';
import type { Role } from '../../domain/contract/contract.js';
import { roleReaches } from './access.js';

const RANKED: readonly Role[] = ['viewer', 'operator', 'admin'];

test('a role may do what the roles below it may, and nothing of those above', () => {
  for (const [rank, held] of RANKED.entries()) {
    expect(RANKED.filter((needed) => roleReaches(held, needed))).toEqual(RANKED.slice(0, rank + 1));
  }
});
