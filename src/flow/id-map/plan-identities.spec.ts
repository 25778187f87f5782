import { describe, expect, test } from '@jest/globals';
import type { EntityReference } from '../../domain/event.js';
import { newInternalId, type InternalId } from '../../domain/ids.js';
import type { ClaimedLink, LinkClaim } from './link-claim.js';
import { identityKey, placeKey, planIdentities, type HeldMap } from './plan-identities.js';

const [ada, bob] = [newInternalId(1), newInternalId(2)];

/** `crm:C1` → the id of a customer. */
function id(name: string): EntityReference {
  const [system = '', externalId = ''] = name.split(':');
  return { system, type: 'customer', externalId, rawExternalId: externalId };
}

const link = (name: string, isAllowed = true): ClaimedLink => ({ kind: 'external', id: id(name), isAllowed });
const ours = (internalId: string, isAllowed = true): ClaimedLink => ({ kind: 'internal', internalId, isAllowed });
const claim = (name: string, ...links: ClaimedLink[]): LinkClaim => ({ entity: id(name), links });

/** Rows of the map: `crm:C1` is linked, `erp:` is a pending create. */
function heldMap(...rows: readonly (readonly [string, InternalId])[]): HeldMap {
  const mappings = rows.map(([name, internalId]) => ({ ...id(name), internalId }));
  return {
    known: new Map(
      mappings.filter(({ externalId }) => externalId !== '').map((row) => [identityKey(row), row.internalId]),
    ),
    places: new Map(mappings.map((row) => [placeKey(row.internalId, row.system), row.externalId || null])),
    entityTypes: new Map(rows.map(([, internalId]) => [internalId, 'customer'])),
  };
}

/** The plan in words; new entities are `new1`, `new2` … */
function plan(held: HeldMap, claims: readonly LinkClaim[], plain: readonly string[] = []) {
  const names = new Map<InternalId, string>([
    [ada, 'ada'],
    [bob, 'bob'],
  ]);
  const newId = (): InternalId => {
    const internalId = newInternalId(names.size);
    names.set(internalId, `new${String(names.size - 1)}`);
    return internalId;
  };
  const planned = planIdentities([...claims.map(({ entity }) => entity), ...plain.map(id)], claims, held, newId);
  const name = (internalId: InternalId): string => names.get(internalId) ?? '?';
  const bound = ({ id: { system, externalId }, internalId }: (typeof planned.endedCreates)[number]): string =>
    `${system}:${externalId}=${name(internalId)}`;
  return {
    bound: planned.newMappings.map(bound),
    ended: planned.endedCreates.map(bound),
    rivals: planned.rivals.map(({ link: each, internalId, reason, holder }) => {
      const asked = each.kind === 'external' ? `${each.id.system}:${each.id.externalId}` : 'ours';
      const by = holder === undefined ? '' : ` by ${holder.system}:${holder.externalId}=${name(holder.internalId)}`;
      return `${asked} for ${name(internalId)} ${reason}${by}`;
    }),
    of: (each: string) => name(planned.identities.get(identityKey(id(each))) ?? ada),
  };
}

describe('a link binds', () => {
  test.each([
    ['an unknown id to a known entity', heldMap(['crm:C1', ada]), claim('crm:C1', link('erp:E1')), ['erp:E1=ada'], []],
    ['the event’s own id to the entity', heldMap(['erp:E1', ada]), claim('crm:C1', link('erp:E1')), ['crm:C1=ada'], []],
    ['both to a new entity', heldMap(), claim('crm:C1', link('erp:E1')), ['crm:C1=new1', 'erp:E1=new1'], []],
    [
      'nothing where it is so already',
      heldMap(['crm:C1', ada], ['erp:E1', ada]),
      claim('crm:C1', link('erp:E1')),
      [],
      [],
    ],
    [
      'into the place of a pending create',
      heldMap(['crm:C1', ada], ['erp:', ada]),
      claim('crm:C1', link('erp:E1')),
      [],
      ['erp:E1=ada'],
    ],
    [
      'the own id into such a place',
      heldMap(['crm:C1', ada], ['erp:', ada]),
      claim('erp:E1', link('crm:C1')),
      [],
      ['erp:E1=ada'],
    ],
    ['by our own id', heldMap(['crm:C1', ada]), claim('erp:E1', ours(ada)), ['erp:E1=ada'], []],
    [
      'by our own id into such a place',
      heldMap(['crm:C1', ada], ['erp:', ada]),
      claim('erp:E1', ours(ada)),
      [],
      ['erp:E1=ada'],
    ],
    ['by two that agree', heldMap(['crm:C1', ada]), claim('erp:E1', ours(ada), link('crm:C1')), ['erp:E1=ada'], []],
    [
      'several systems',
      heldMap(),
      claim('crm:C1', link('erp:E1'), link('wms:W1')),
      ['crm:C1=new1', 'erp:E1=new1', 'wms:W1=new1'],
      [],
    ],
    [
      'nothing where a forbidden one is true',
      heldMap(['crm:C1', ada], ['erp:E1', ada]),
      claim('crm:C1', link('erp:E1', false)),
      [],
      [],
    ],
  ] as const)('%s', (...row) => {
    const [, held, each, bound, ended] = row;
    expect(plan(held, [each])).toMatchObject({ bound, ended, rivals: [] });
  });

  test('what other events of the batch say of the same id, whichever stands first', () => {
    const planned = plan(
      heldMap(),
      [claim('crm:C1', link('erp:E1')), claim('wms:W1', link('crm:C1'))],
      ['erp:E1', 'erp:E2'],
    );
    expect(planned.bound).toEqual(['crm:C1=new1', 'erp:E1=new1', 'wms:W1=new1', 'erp:E2=new2']);
  });
});

describe('a link that is not made', () => {
  test.each([
    [
      'the id belongs to another entity',
      heldMap(['crm:C1', ada], ['erp:E1', bob]),
      claim('crm:C1', link('erp:E1')),
      [],
      ['erp:E1 for ada id_taken by erp:E1=bob'],
    ],
    [
      'the entity has another id there',
      heldMap(['crm:C1', ada], ['erp:E0', ada]),
      claim('crm:C1', link('erp:E1')),
      [],
      ['erp:E1 for ada place_taken by erp:E0=ada'],
    ],
    [
      'the sender may not',
      heldMap(['crm:C1', ada]),
      claim('crm:C1', link('erp:E1', false)),
      [],
      ['erp:E1 for ada not_allowed'],
    ],
    [
      'nor may it find its own so',
      heldMap(['erp:E1', ada]),
      claim('crm:C1', link('erp:E1', false)),
      ['crm:C1=new1'],
      ['erp:E1 for new1 not_allowed by erp:E1=ada'],
    ],
    [
      'the known entity has another id in the own system',
      heldMap(['crm:C0', ada], ['erp:E1', ada]),
      claim('crm:C1', link('erp:E1')),
      ['crm:C1=new1'],
      ['erp:E1 for new1 id_taken by erp:E1=ada'],
    ],
    [
      'links lead to two entities',
      heldMap(['erp:E1', ada], ['wms:W1', bob]),
      claim('crm:C1', link('erp:E1'), link('wms:W1')),
      ['crm:C1=new1'],
      ['erp:E1 for new1 id_taken by erp:E1=ada', 'wms:W1 for new1 id_taken by wms:W1=bob'],
    ],
    [
      'one entity gets several new ids in one system',
      heldMap(['crm:C1', ada]),
      claim('crm:C1', link('erp:E1'), link('erp:E2')),
      [],
      ['erp:E1 for ada several', 'erp:E2 for ada several'],
    ],
    [
      'the own system has another id for it',
      heldMap(),
      claim('crm:C1', link('crm:C2')),
      ['crm:C1=new1'],
      ['crm:C2 for new1 place_taken by crm:C1=new1'],
    ],
    [
      'our id is unknown',
      heldMap(),
      claim('erp:E1', ours(bob)),
      ['erp:E1=new1'],
      ['ours for new1 unknown_internal_id by erp:E1=new1'],
    ],
    [
      'our id is none',
      heldMap(),
      claim('erp:E1', ours('see invoice 12')),
      ['erp:E1=new1'],
      ['ours for new1 unknown_internal_id by erp:E1=new1'],
    ],
    [
      'our id is of another entity',
      heldMap(['erp:E1', ada], ['crm:C1', bob]),
      claim('erp:E1', ours(bob)),
      [],
      ['ours for ada id_taken by erp:E1=ada'],
    ],
    [
      'our entity has another id there',
      heldMap(['erp:E0', ada]),
      claim('erp:E1', ours(ada)),
      ['erp:E1=new1'],
      ['ours for new1 place_taken by erp:E0=ada'],
    ],
    [
      'the sender may not speak of our id',
      heldMap(['crm:C1', ada]),
      claim('erp:E1', ours(ada, false)),
      ['erp:E1=new1'],
      ['ours for new1 not_allowed by erp:E1=new1'],
    ],
    [
      'our id and a link disagree',
      heldMap(['crm:C1', ada], ['wms:W1', bob]),
      claim('erp:E1', ours(ada), link('wms:W1')),
      ['erp:E1=new1'],
      ['ours for new1 id_taken by erp:E1=new1', 'wms:W1 for new1 id_taken by wms:W1=bob'],
    ],
  ] as const)('because %s', (...row) => {
    const [, held, each, bound, rivals] = row;
    expect(plan(held, [each])).toMatchObject({ bound, ended: [], rivals });
  });

  test('does not keep another link of the event from being made', () => {
    const held = heldMap(['crm:C1', ada], ['erp:E1', bob]);
    const planned = plan(held, [claim('crm:C1', link('erp:E1'), link('wms:W1'))]);
    expect(planned).toMatchObject({ bound: ['wms:W1=ada'], rivals: ['erp:E1 for ada id_taken by erp:E1=bob'] });
  });

  test('an entity of another type is not meant by our id', () => {
    const held = { ...heldMap(['crm:C1', ada]), entityTypes: new Map([[ada, 'order']]) };
    expect(plan(held, [claim('erp:E1', ours(ada))]).rivals).toEqual([
      'ours for new1 unknown_internal_id by erp:E1=new1',
    ]);
  });
});
