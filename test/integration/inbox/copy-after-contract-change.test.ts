import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Contract, EventType } from '../../../src/domain/contract/contract.js';
import { parsePathPattern } from '../../../src/domain/contract/path-pattern.js';
import type { TransitionParts } from '../../../src/domain/envelope/complete-transition.js';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import type { Verdict } from '../../../src/flow/inbox/verdict.js';
import { named } from '../../support/contract-from.js';
import { shopEvent } from '../../support/shop-event.js';
import { wireServices, type WiredServices } from '../../support/wired-services.js';
import { wireShop } from '../../support/wired-shop.js';

describe('a copy that comes after the contract said more about its payload', () => {
  const shop = wireShop();
  let later: Contract;
  let newer: WiredServices;

  beforeAll(async () => {
    later = withVolatile(withVolatile(shop.contract, 'customer.updated', '/sent_at'), 'parcel.moved', '/sent_at');
    newer = await wireServices(later, shop.databaseUrl, 2);
  });

  afterAll(async () => newer.close());

  const remember = async (process: WiredServices, contract: Contract, payload: string, id = 'V-1'): Promise<Verdict> =>
    process.get(InboxService).remember(shopEvent(contract, { externalId: id, payload }));

  test('is a duplicate still, other content is a conflict still', async () => {
    const first = await remember(shop.first, shop.contract, '{"name":"Ada","sent_at":1}');
    expect(first.kind).toBe('accepted');
    // By the contract that read the first, another time of sending is other content.
    expect((await remember(shop.first, shop.contract, '{"name":"Ada","sent_at":2}')).kind).toBe('conflict');
    const copy = await remember(newer, later, '{"name":"Ada","sent_at":3}');
    expect(copy).toMatchObject({ kind: 'duplicate', eventId: first.eventId });
    expect((await remember(newer, later, '{"name":"Bea","sent_at":3}')).kind).toBe('conflict');
  });

  test('is told from an event that names another state, or expects another one', async () => {
    const moved = async (process: WiredServices, contract: Contract, sentAt: number, states: TransitionParts) => {
      const payload = `{"sent_at":${String(sentAt)}}`;
      const event = shopEvent(contract, { eventType: 'parcel.moved', externalId: 'P-1', payload, ...states });
      return (await process.get(InboxService).remember(event)).kind;
    };
    const states = { state: 'sent', expectedState: 'packed' };
    expect(await moved(shop.first, shop.contract, 1, states)).toBe('accepted');
    expect(await moved(newer, later, 2, states)).toBe('duplicate');
    expect(await moved(newer, later, 3, { ...states, state: 'arrived' })).toBe('conflict');
    expect(await moved(newer, later, 4, { state: 'sent' })).toBe('conflict');
  });

  test('is foreseen as one', async () => {
    await remember(shop.first, shop.contract, '{"name":"Cid","sent_at":1}', 'V-2');
    const foresee = async (payload: string) =>
      (await newer.get(InboxService).foresee(shopEvent(later, { externalId: 'V-2', payload }))).kind;
    expect(await foresee('{"name":"Cid","sent_at":2}')).toBe('duplicate');
    expect(await foresee('{"name":"Dan","sent_at":2}')).toBe('conflict');
  });
});

function withVolatile(contract: Contract, name: string, source: string): Contract {
  const volatile = parsePathPattern(source);
  if (volatile === undefined) throw new Error(`${source} is no path.`);
  const eventType: EventType = { ...named(contract.eventTypes, name), volatile: [volatile] };
  return { ...contract, eventTypes: new Map([...contract.eventTypes, [eventType.name, eventType]]) };
}
