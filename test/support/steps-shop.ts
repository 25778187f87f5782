import { join } from 'node:path';
import { expect } from '@jest/globals';
import { InboxService } from '../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../src/flow/process-event/event-runner.js';
import type { ShopEvent } from './shop-event.js';
import { wireShop, type WiredShop } from './wired-shop.js';
import type { WiredServices } from './wired-services.js';

export interface Standing {
  readonly status: string | null;
  readonly outcome: string | null;
  readonly code: string | null;
}

/** The shop of `steps.yaml` with the verbs of the suites about states and waiting. */
export interface StepsShop extends WiredShop {
  remember(...events: readonly ShopEvent[]): Promise<void>;
  /** Runs what is due, until nothing is. */
  run(services?: WiredServices): Promise<void>;
  process(...events: readonly ShopEvent[]): Promise<void>;
  /** Where an event stands: the status of its work, or null and how it ended. */
  standing(key: string): Promise<Standing>;
  /** The state and the states of the path, or undefined where there is no such entity. */
  pathOf(externalId: string): Promise<readonly string[] | undefined>;
}

export function stepsShop(options: Parameters<typeof wireShop>[0] = {}): StepsShop {
  const shop = wireShop({ file: join(process.cwd(), 'test', 'support', 'steps.yaml'), ...options });
  const remember = async (...events: readonly ShopEvent[]): Promise<void> => {
    for (const event of events) await shop.first.get(InboxService).remember(shop.event(event));
  };
  const run = async (services: WiredServices = shop.first): Promise<void> => {
    while (await services.get(EventRunner).runDue());
  };
  return Object.assign(shop, {
    remember,
    run,
    process: async (...events: readonly ShopEvent[]) => {
      await remember(...events);
      await run();
    },
    standing: async (key: string) => {
      const [row] = await shop.query<Standing>(
        `SELECT work.status, trace.outcome, COALESCE(trace.code, work.reject_reason) AS code
           FROM idempotency_keys keys
           LEFT JOIN work ON work.key = keys.event_id::text
           LEFT JOIN trace ON trace.event_id = keys.event_id AND trace.status = 'COMPLETED'
          WHERE keys.idempotency_key = $1`,
        [key],
      );
      if (row === undefined) throw new Error(`Nobody sent ${key}.`);
      return row;
    },
    pathOf: async (externalId: string) => {
      const [row] = await shop.query<{ state: string; path: string }>(
        `SELECT entities.state, entities.path FROM entities JOIN mappings USING (internal_id) WHERE external_id = $1`,
        [externalId],
      );
      if (row === undefined) return undefined;
      const steps = (JSON.parse(row.path) as { state: string }[]).map(({ state }) => state);
      expect(steps.at(-1)).toBe(row.state);
      return steps;
    },
  });
}
