import { beforeAll } from '@jest/globals';
import type { Contract } from '../../src/domain/contract/contract.js';
import type { ReceivedEvent } from '../../src/domain/event.js';
import { readShopContract, type ShopOptions } from './shop-contract.js';
import { shopEvent, type ShopEvent } from './shop-event.js';
import { suiteResources } from './suite-resources.js';
import { createTestDatabase } from './test-database.js';
import { wireServices, type WiredServices } from './wired-services.js';

/** Two processes of the shop on one database of their own, wired but not started. */
export interface WiredShop {
  readonly contract: Contract;
  readonly databaseUrl: string;
  readonly first: WiredServices;
  readonly second: WiredServices;
  event(event: ShopEvent): ReceivedEvent;
  /** A statement of the test's own, outside of every transaction. */
  query<Row>(statement: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** For the suite that is being described; there is nothing in it before the suite's first test. */
export function wireShop(options: ShopOptions = {}): WiredShop {
  const closeLater = suiteResources();
  const shop = {} as { -readonly [Part in keyof WiredShop]: WiredShop[Part] };
  beforeAll(async () => {
    const contract = await readShopContract(options);
    const storage = await createTestDatabase();
    closeLater(async () => storage.drop());
    const first = await wireServices(contract, storage.url);
    closeLater(async () => first.close());
    const second = await wireServices(contract, storage.url);
    closeLater(async () => second.close());
    Object.assign(shop, { contract, databaseUrl: storage.url, first, second });
    shop.event = (event) => shopEvent(contract, event);
    shop.query = async (statement, values) => first.database.query(statement, values);
  });
  return shop;
}
