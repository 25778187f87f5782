import type { DemoClient, EventView, MappingView, Receipt } from './demo-client.js';
import type { DemoReport } from './demo-report.js';
import type { DemoTarget } from './demo-targets.js';
import { eventually, expectThat } from './expectation.js';

/** What one playing of the story needs. */
export interface Stage {
  /** Part of every id, so that the story can be played again and again against one service. */
  readonly run: string;
  readonly correlationId: string;
  readonly crosswalk: DemoClient;
  readonly erp: DemoTarget;
  readonly wms: DemoTarget;
  readonly report: DemoReport;
}

/** One message sent and what became of its event. */
interface Message {
  readonly about: string;
  readonly receipt: Receipt;
}

/** The whole story, told while it happens. Returns the messages for the closing account. */
export async function playStory(stage: Stage): Promise<readonly Message[]> {
  const created = await customerAppears(stage);
  const updated = await updatesArriveTwiceAndOutOfOrder(stage, created.mapping);
  const paid = await paymentComesFiveTimes(stage);
  const messages = [created.message, ...updated, ...paid];
  await closeTheAccount(stage, messages);
  return messages;
}

async function customerAppears(stage: Stage): Promise<{ readonly message: Message; readonly mapping: MappingView }> {
  const { crosswalk, report } = stage;
  report.heading('A customer appears in the CRM');
  const message = await sendCustomer(stage, 1);
  expectThat(message.receipt.verdict === 'accepted', 'a customer that nobody has seen before is accepted');
  report.line(
    `customer ${customerId(stage)}, version 1: ${message.receipt.verdict} as event ${message.receipt.event_id}`,
  );

  const mapping = await eventually('the customer reaches ERP and WMS and gets an id in each', async () => {
    const found = await crosswalk.mapping('crm', 'customer', customerId(stage));
    return idIn(found, 'erp') !== undefined && idIn(found, 'wms') !== undefined ? found : undefined;
  });
  report.line(`one customer, internal id ${mapping.internal_id}, known as`);
  report.line();
  report.table(
    ['system', 'external id', 'role'],
    mapping.mappings.map(({ system, external_id, role }) => [system, external_id ?? 'not yet', role]),
  );
  return { message, mapping };
}

async function updatesArriveTwiceAndOutOfOrder(stage: Stage, mapping: MappingView): Promise<readonly Message[]> {
  const { crosswalk, report } = stage;
  report.heading('Its updates 2 to 5 arrive twice and out of order');
  const early = [await sendCustomer(stage, 3), await sendCustomer(stage, 5)];
  // Only what is sent after version 5 has taken effect is late for certain.
  await ended(stage, early);
  const late: Message[] = [];
  for (const version of [2, 5, 4, 2, 3, 4]) late.push(await sendCustomer(stage, version));
  const messages = [...early, ...late];
  const events = await ended(stage, messages);
  report.table(
    ['message', 'verdict', 'event', 'outcome'],
    messages.map(({ about, receipt }) => [about, receipt.verdict, receipt.event_id, outcomeOf(events, receipt)]),
  );
  expectCopiesAreDuplicates(messages);
  for (const { about, receipt } of messages) {
    if (about === 'version 5') expectThat(!isStale(events, receipt), `${about}, the highest, takes effect`);
    if (about === 'version 2' || about === 'version 4') {
      expectThat(isStale(events, receipt), `${about} came after version 5 and is stale`);
    }
  }

  const entity = await crosswalk.entity('customer', mapping.internal_id);
  expectThat(JSON.stringify(entity?.data ?? null).includes(nameOf(5)), `the entity ends at version 5, ${nameOf(5)}`);
  report.line();
  report.line(`the entity stands at revision ${entity?.revision ?? '?'} as ${nameOf(5)}`);
  report.line();
  report.table(
    ['target', 'record', 'records', 'creates', 'updates', 'ends with'],
    [await targetRow(stage.erp, mapping), await targetRow(stage.wms, mapping)],
  );
  return messages;
}

/** Waits until a target has the last state, and tells how it got there. */
async function targetRow({ system, client }: DemoTarget, mapping: MappingView): Promise<(string | number)[]> {
  const id = idIn(mapping, system) ?? '';
  await eventually(`the ${system} has version 5`, async () =>
    (await client.rawBody('customers', id)).includes(nameOf(5)) ? true : undefined,
  );
  const records = (await client.records('customers')).filter((record) => record.ref === mapping.internal_id);
  expectThat(records.length === 1, `the ${system} holds one record of the customer, not ${records.length}`);
  const calls = (await client.calls()).filter((call) => call.record_id === id && call.applied);
  const creates = calls.filter((call) => call.method === 'POST').length;
  return [system, id, records.length, creates, calls.length - creates, nameOf(5)];
}

async function paymentComesFiveTimes(stage: Stage): Promise<readonly Message[]> {
  const { crosswalk, report, erp } = stage;
  report.heading('A payment notification comes five times');
  const paymentId = `PAY-${stage.run}`;
  // Written as text: JSON.stringify has no way to say 1299.00.
  const body =
    `{"idempotent_key":"${paymentId}:PAID","event_type":"payment.completed","payment_id":"${paymentId}",` +
    `"status":"PAID","amount":1299.00}`;
  const messages: Message[] = [];
  for (let copy = 1; copy <= 5; copy += 1) {
    const receipt = await crosswalk.sendCrmWebhook(body, stage.correlationId);
    messages.push({ about: `payment ${paymentId}`, receipt });
  }
  await ended(stage, messages);
  report.table(
    ['message', 'verdict', 'event'],
    messages.map(({ about, receipt }) => [about, receipt.verdict, receipt.event_id]),
  );
  expectCopiesAreDuplicates(messages);

  const mapping = await eventually('the payment reaches the ERP', async () => {
    const found = await crosswalk.mapping('crm', 'payment', paymentId);
    return idIn(found, 'erp') === undefined ? undefined : found;
  });
  const id = idIn(mapping, 'erp') ?? '';
  const records = (await erp.client.records('payments')).filter((record) => record.ref === mapping.internal_id);
  const raw = await erp.client.rawBody('payments', id);
  expectThat(records.length === 1, `the ERP holds one record of the payment, not ${records.length}`);
  expectThat(/:\s*1299\.00\s*[,}]/.test(raw), `the amount reaches the ERP as 1299.00, not as in ${raw}`);
  report.line();
  report.line(`one record in the ERP, ${id}, with the amount as it was written:`);
  report.line(raw);
  return messages;
}

async function closeTheAccount(stage: Stage, messages: readonly Message[]): Promise<void> {
  const { report } = stage;
  report.heading('The account');
  const events = await ended(stage, messages);
  const count = (verdict: string): number => messages.filter(({ receipt }) => receipt.verdict === verdict).length;
  const stale = [...events.values()].filter((event) => event.outcome === 'stale').length;
  expectThat(count('accepted') + count('duplicate') === messages.length, 'every message is accepted or a duplicate');
  expectThat(count('accepted') === events.size, 'every accepted message is an event of its own');
  report.counts([
    ['messages sent', messages.length],
    ['accepted, each an event of its own', count('accepted')],
    ['duplicates of these', count('duplicate')],
    ['accepted but stale, without effect', stale],
    ['events that took effect', events.size - stale],
    ['calls to the ERP in this process', await callsOf(stage, stage.erp)],
    ['calls to the WMS in this process', await callsOf(stage, stage.wms)],
  ]);
  expectThat((await stage.crosswalk.trace(stage.correlationId)) !== undefined, 'the whole process has a trace');
}

/** How many calls carried the correlation id of this process to a target. */
async function callsOf({ correlationId }: Stage, { system, client }: DemoTarget): Promise<number> {
  const calls = (await client.calls()).filter((call) => call.headers['x-correlation-id'] === correlationId);
  expectThat(calls.length > 0, `calls to the ${system} carry the correlation id ${correlationId}`);
  return calls.length;
}

async function sendCustomer(stage: Stage, version: number): Promise<Message> {
  const body = JSON.stringify({
    event_type: 'customer.updated',
    customer_id: customerId(stage),
    version,
    // One instant for all copies of a version: a copy with another content would be a conflict.
    updated_at: new Date(Date.UTC(2025, 0, 1, 12, version)).toISOString(),
    full_name: nameOf(version),
    contact: { email: 'ada@example.com' },
  });
  return { about: `version ${version}`, receipt: await stage.crosswalk.sendCrmWebhook(body, stage.correlationId) };
}

/** The events behind some messages, once all of them are COMPLETED. */
async function ended(stage: Stage, messages: readonly Message[]): Promise<ReadonlyMap<string, EventView>> {
  const events = new Map<string, EventView>();
  for (const { about, receipt } of messages) {
    if (events.has(receipt.event_id)) continue;
    const event = await eventually(`${about} is processed`, async () => {
      const view = await stage.crosswalk.event(receipt.event_id);
      expectThat(view?.status !== 'DEAD', `${about} is processed, and not given up: see event ${receipt.event_id}`);
      return view?.status === 'COMPLETED' ? view : undefined;
    });
    events.set(receipt.event_id, event);
  }
  return events;
}

/** The first message about something is accepted, each further one is a duplicate that names the same event. */
function expectCopiesAreDuplicates(messages: readonly Message[]): void {
  const firsts = new Map<string, Receipt>();
  for (const { about, receipt } of messages) {
    const first = firsts.get(about);
    if (first === undefined) {
      firsts.set(about, receipt);
      expectThat(receipt.verdict === 'accepted', `the first ${about} is accepted, not ${receipt.verdict}`);
    } else {
      const isCopy = receipt.verdict === 'duplicate' && receipt.event_id === first.event_id;
      expectThat(isCopy, `a further ${about} is a duplicate of event ${first.event_id}`);
    }
  }
}

function customerId({ run }: Stage): string {
  return `C-${run}`;
}

/** Both targets take the name, so it shows which version a target holds. */
function nameOf(version: number): string {
  return `Ada Example v${version}`;
}

function idIn(mapping: MappingView | undefined, system: string): string | undefined {
  return mapping?.mappings.find((entry) => entry.system === system)?.external_id ?? undefined;
}

function outcomeOf(events: ReadonlyMap<string, EventView>, receipt: Receipt): string {
  return events.get(receipt.event_id)?.outcome ?? '';
}

function isStale(events: ReadonlyMap<string, EventView>, receipt: Receipt): boolean {
  return outcomeOf(events, receipt) === 'stale';
}
