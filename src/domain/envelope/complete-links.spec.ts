import { describe, expect, test } from '@jest/globals';
import { refusalOf } from '../../../test/support/refusal.js';
import { spineContract } from '../../../test/support/spine-contract.js';
import type { EntityReference, EventLinks } from '../event.js';
import { completeLinks, type IdentityParts, type LinkPart } from './complete-links.js';
import { ENVELOPE_PLACES } from './part-places.js';

const contract = spineContract();
const C1: EntityReference = { system: 'crm', type: 'customer', externalId: 'C-1', rawExternalId: ' C-1' };

const complete = (parts: IdentityParts): EventLinks | undefined => completeLinks(parts, C1, contract, ENVELOPE_PLACES);
const link = (system: string, externalId: string): LinkPart => ({ system, externalId });
const other = (system: string, externalId: string, rawExternalId = externalId): EntityReference => ({
  system,
  type: 'customer',
  externalId,
  rawExternalId,
});

describe('the links of an event', () => {
  test('stand in one order, none twice, spelt by the rules of the system whose id it is', () => {
    const links = [link('wms', ' W-1'), link('erp', 'E-2'), link('erp', ' E-1 '), link('erp', 'E-2 ')];
    const expected = [other('erp', 'E-1', ' E-1 '), other('erp', 'E-2', 'E-2 '), other('wms', ' W-1')];
    expect(complete({ links })?.others).toEqual(expected);
    expect(complete({ links: links.toReversed() })?.others.map(({ externalId }) => externalId)).toEqual(
      expected.map(({ externalId }) => externalId),
    );
  });

  test('say nothing where an id is linked to itself', () => {
    expect(complete({ links: [link('crm', 'C-1 ')] })).toBeUndefined();
    expect(complete({})).toBeUndefined();
    expect(complete({ links: [link('crm', 'C-2')] })?.others).toEqual([other('crm', 'C-2')]);
  });

  test.each([
    ['01890A5D-B1C2-7D11-8A41-6F0F7D0C1E2A ', '01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2a'],
    ['see invoice 12', 'see invoice 12'],
  ])('name our own id, whatever stands in the sender’s field: %j', (internalId, expected) => {
    expect(complete({ internalId })).toEqual({ others: [], internalId: expected });
  });

  test.each([
    [
      'a system that nobody declared',
      { links: [link('erp', 'E'), link('x', 'E')] },
      'system.unknown',
      '/links/1/system',
    ],
    ['an id of blanks', { links: [link('erp', ' ')] }, 'id.invalid', '/links/0/external_id'],
    ['an id with NUL', { links: [link('erp', 'a\u0000')] }, 'id.invalid', '/links/0/external_id'],
    ['more links than systems have', { links: Array(101).fill(link('erp', 'E')) }, 'envelope.invalid', '/links'],
    ['an empty internal id', { internalId: ' ' }, 'id.invalid', '/entity/internal_id'],
    ['an internal id with NUL', { internalId: 'a\u0000' }, 'id.invalid', '/entity/internal_id'],
    ['an internal id that is too long', { internalId: 'x'.repeat(256) }, 'id.invalid', '/entity/internal_id'],
  ] as const)('are refused with %s', (_what, parts, code, at) => {
    expect(refusalOf(() => complete(parts as IdentityParts))).toEqual({ code, at });
  });
});
