import { expect } from '@jest/globals';
import { CREDENTIALS, type ShopApi } from '../contract/shop-api.js';
import { alarmingLines, memoryGrowth, tryTheDoor, type Trial, type TrialReport } from './door-trial.js';

/** What a service is started with that is to stand a trial; requests that never end are cut off soon. */
export const DOOR = { CROSSWALK_CONFIG: 'test/support/door.yaml', REQUEST_TIMEOUT_SECONDS: '5' } as const;

/** What a machine that has too much to do may cost; a request that cuts its connection each time is strange at once. */
const RESENT_SHARE_MAX = 0.001;
const LINES_SHOWN = 20;
const LOOK_UPS_AT_ONCE = 8;

/** A whole trial: the answers, the log, the events behind the answers, and the process after all of it. */
export async function expectDoorToStand(shop: ShopApi, trial: Trial): Promise<TrialReport> {
  const report = await tryTheDoor(shop.service, trial);
  console.log(summaryOf(trial, report));
  expect(report.strange).toEqual([]);
  expect(report.resent).toBeLessThanOrEqual(trial.requests * RESENT_SHARE_MAX);

  const stored = await shop.query<{ event_id: string }>('SELECT event_id FROM events');
  expect(new Set(stored.map(({ event_id }) => event_id))).toEqual(report.eventIds);
  expect(await unexplained(shop, [...report.eventIds])).toEqual([]);
  expect(alarmingLines(shop.service.output()).slice(0, LINES_SHOWN)).toEqual([]);
  expect((await fetch(`${shop.service.url}/health/live`)).status).toBe(200);
  return report;
}

/** Event ids that a client was told and that `GET /v1/events/{id}` does not know, or knows no status of. */
async function unexplained(shop: ShopApi, eventIds: readonly string[]): Promise<string[]> {
  const waiting = [...eventIds];
  const unknown: string[] = [];
  const lookUp = async (): Promise<void> => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const answer = await fetch(`${shop.service.url}/v1/events/${id}`, { headers: CREDENTIALS.viewer });
      const { status } = (await answer.json()) as { status?: unknown };
      if (answer.status !== 200 || typeof status !== 'string') unknown.push(id);
    }
  };
  await Promise.all(Array.from({ length: LOOK_UPS_AT_ONCE }, lookUp));
  return unknown;
}

function summaryOf({ requests, seed }: Trial, { answers, eventIds, resent, memoryMiB }: TrialReport): string {
  const counts = Object.entries(answers).toSorted(([, a], [, b]) => b - a);
  const memory = memoryMiB.filter((_, at) => at % 10 === 9).map((mebibytes) => mebibytes.toFixed(0));
  return [
    `${requests} generated requests, GENERATED_REQUESTS_SEED=${seed}; ${eventIds.size} events`,
    `${resent} sent again over another connection`,
    ...counts.map(([kind, count]) => `  ${String(count).padStart(6)}  ${kind}`),
    `memory in MiB: ${memory.join(' ')}; last fifth / second fifth: ${memoryGrowth(memoryMiB).toFixed(2)}`,
  ].join('\n');
}
