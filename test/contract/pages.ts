import { expect } from '@jest/globals';
import type { Caller, ShopApi } from './shop-api.js';

/** Every item of a list, page by page of this size; `route` ends in a query. */
export async function allPages(
  shop: ShopApi,
  caller: Caller,
  route: string,
  limit: number,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const items: Readonly<Record<string, unknown>>[] = [];
  let cursor = '';
  do {
    const { status, body } = await shop.ask(caller, `${route}&limit=${limit}${cursor}`);
    expect(status).toBe(200);
    const page = body?.['items'] as readonly Readonly<Record<string, unknown>>[];
    expect(page.length).toBeLessThanOrEqual(limit);
    items.push(...page);
    cursor = typeof body?.['next_cursor'] === 'string' ? `&cursor=${body['next_cursor']}` : '';
  } while (cursor !== '');
  return items;
}
