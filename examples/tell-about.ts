import { reportOfChange, reportOfJob } from './reports.js';
import type { CarriedOut, SampleSystem } from './sample-system.js';

/** Sends what is to be sent before the call is answered, and resolves when it was. */
export async function tellBeforeAnswer(system: SampleSystem, { changes, jobIds }: CarriedOut): Promise<void> {
  if (system.settings.jobs.ends === 'before_answer') for (const id of jobIds) await tellJob(system, id);
  if (system.settings.webhook?.before_answer === true) await tellChanges(system, changes);
}

/** Sends the rest, and lets the jobs of the call end in their time. */
export async function tellAfterAnswer(
  system: SampleSystem,
  { changes, jobIds }: CarriedOut,
  wait: (ms: number) => Promise<unknown>,
): Promise<void> {
  const { ends } = system.settings.jobs;
  if (system.settings.webhook?.before_answer !== true) await tellChanges(system, changes);
  if (typeof ends !== 'number') return;
  await Promise.all(
    jobIds.map(async (id) => {
      await wait(ends);
      await endJob(system, id, system.settings.jobs.refused);
    }),
  );
}

/** Ends a job and tells it. Returns whether there was such a job to end. */
export async function endJob(system: SampleSystem, id: string, refused: string | undefined): Promise<boolean> {
  if (system.jobs.end(id, refused) === undefined) return false;
  await tellJob(system, id);
  return true;
}

async function tellJob({ settings: { webhook }, jobs, webhooks }: SampleSystem, id: string): Promise<void> {
  const job = jobs.find(id);
  if (job === undefined || webhook?.about.includes('jobs') !== true) return;
  await webhooks.send(webhook, reportOfJob(job, webhook.without_ref !== true));
}

/** One after the other, so that the order of the webhooks is that of the writes. */
async function tellChanges(
  { settings: { webhook }, webhooks }: SampleSystem,
  changes: CarriedOut['changes'],
): Promise<void> {
  if (webhook?.about.includes('writes') !== true) return;
  for (const change of changes) await webhooks.send(webhook, reportOfChange(change, webhook.without_ref !== true));
}
