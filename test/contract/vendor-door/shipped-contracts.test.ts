import { describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleOnThisMachine } from '../../support/example-on-this-machine.js';
import { testRunFolder } from '../../support/test-run.js';
import { changed, vendorPayload, type VendorPayload } from '../../vendors/vendor-payload.js';
import { expectProblem } from '../expect-problem.js';
import { serveShop, testThatAnswersAreDescribed, type Answer, type ShopApi } from '../shop-api.js';

type Headers = Readonly<Record<string, string>>;

/**
 * Serves a contract of `config/examples`, whose target may stand on this machine; it names no access key, so the first
 * start makes one.
 */
function serveExample(name: string, secrets: Headers): ShopApi & { readonly look: (route: string) => Promise<Answer> } {
  const folder = mkdtempSync(join(testRunFolder(), 'example-'));
  const shop = serveShop({ ...secrets, CROSSWALK_CONFIG: exampleOnThisMachine(name), CROSSWALK_DATA: folder });
  const look = async (route: string): Promise<Answer> => {
    const key = readFileSync(join(folder, 'admin-key'), 'utf8').trim();
    return shop.ask('nobody', `GET ${route}`, { headers: { authorization: `Bearer ${key}` } });
  };
  return Object.assign(shop, { look });
}

/** What can be looked up of an event that was handled, and of its entity. */
async function whatBecameOf(shop: ReturnType<typeof serveExample>, answer: Answer): Promise<readonly Answer['body'][]> {
  const event = (await shop.look(`/v1/events/${String(answer.body?.['event_id'])}`)).body;
  const { type } = event?.['entity'] as { readonly type: string };
  const entity = await shop.look(`/v1/entities/${type}/${String(event?.['internal_id'])}`);
  return [event, entity.body];
}

describe('the contract for WooCommerce, as it is shipped', () => {
  const WOO_SECRET = 'what WooCommerce calls the secret';
  const shop = serveExample('woocommerce', { WOO_SECRET });
  const send = async ({ headers, sent }: VendorPayload): Promise<Answer> => {
    const signature = createHmac('sha256', WOO_SECRET).update(sent).digest('base64');
    return shop.ask('nobody', 'POST /v1/webhooks/shop', {
      body: sent,
      headers: { ...headers, 'x-wc-webhook-signature': signature, prefer: 'wait=20' },
    });
  };

  test('takes an order and its copy as one fact, and a guest’s order belongs to nobody', async () => {
    const payload = vendorPayload('woocommerce/order-created-guest');
    const first = await send(payload);
    expect(first.body).toMatchObject({ verdict: 'accepted', outcome: 'applied' });
    const copy = await send(changed(payload, { 'header/x-wc-webhook-delivery-id': 'another' }));
    expect(copy.body).toMatchObject({ verdict: 'duplicate', event_id: first.body?.['event_id'] });
    expect(await whatBecameOf(shop, first)).toMatchObject([
      {
        event_type: 'order.changed',
        occurred_at: '2026-02-11T16:05:13Z',
        entity: { type: 'order', external_id: '7318' },
      },
      {
        data: { number: '7318', status: 'processing', total: '52.90' },
        references: [{ path: '/line_items/0/product_id', entity_type: 'product' }],
      },
    ]);
  });

  test('keeps the last of three states though the first comes back, and the customer of an order', async () => {
    const payload = vendorPayload('woocommerce/order-updated');
    const states = ['on-hold', 'processing', 'on-hold'].map((status, at) =>
      changed(payload, { '/status': status, '/date_modified_gmt': `2026-02-12T08:30:4${at}` }),
    );
    const answers: Answer[] = [];
    for (const state of states) answers.push(await send(state));
    expect(answers.map(({ body }) => body?.['outcome'])).toEqual(['applied', 'applied', 'applied']);
    const [, entity] = await whatBecameOf(shop, answers[0] as Answer);
    expect(entity).toMatchObject({
      revision: 3,
      data: { status: 'on-hold' },
      references: [{ path: '/customer_id', entity_type: 'customer' }, { entity_type: 'product' }],
    });
  });

  test('answers the ping at activation without a signature, and stores nothing of it', async () => {
    const before = (await shop.look('/v1/events')).body;
    const { headers, sent } = vendorPayload('woocommerce/activation-ping');
    const ping = await shop.ask('nobody', 'POST /v1/webhooks/shop', { body: sent, headers });
    expect([ping.status, ping.text]).toEqual([200, '']);
    const order = vendorPayload('woocommerce/order-updated');
    const unsigned = await shop.ask('nobody', 'POST /v1/webhooks/shop', { body: order.sent, headers: order.headers });
    expectProblem(unsigned, 'auth.failed');
    expect((await shop.look('/v1/events')).body).toEqual(before);
  });

  testThatAnswersAreDescribed(shop);
});

describe('the contract for Stripe, as it is shipped', () => {
  const secret = 'whsec_what_the_dashboard_shows';
  const shop = serveExample('stripe', { STRIPE_WEBHOOK_SECRET: secret });
  const { webhooks } = new Stripe('sk_test_x');
  const send = async ({ headers, sent: payload }: VendorPayload): Promise<Answer> =>
    shop.ask('nobody', 'POST /v1/webhooks/stripe', {
      body: payload,
      headers: {
        ...headers,
        'stripe-signature': webhooks.generateTestHeaderString({ payload, secret }),
        prefer: 'wait=20',
      },
    });

  test('takes a customer, his later delivery once more, his change and his end, and links him to the CRM', async () => {
    const created = vendorPayload('stripe/customer-created');
    const first = await send(created);
    expect(first.body).toMatchObject({ verdict: 'accepted', outcome: 'applied' });
    expect((await send(changed(created, { '/pending_webhooks': 0 }))).body).toMatchObject({
      verdict: 'duplicate',
      event_id: first.body?.['event_id'],
    });
    const updated = await send(vendorPayload('stripe/customer-updated'));
    expect(await whatBecameOf(shop, updated)).toMatchObject([
      { event_type: 'customer.changed', occurred_at: '2026-02-11T16:28:31Z' },
      {
        data: { name: 'Mira Okafor', phone: '+49 30 5550117' },
        mappings: [
          { system: 'crm', external_id: '88120044551' },
          { system: 'stripe', external_id: 'cus_TkR41xQm0b7LaZ' },
        ],
      },
    ]);
    const deleted = await send(vendorPayload('stripe/customer-deleted'));
    expect((await whatBecameOf(shop, deleted))[1]).toMatchObject({ deleted: true });
  });

  test('takes a payment, whom it is of, and its refund', async () => {
    await send(vendorPayload('stripe/payment-intent-succeeded'));
    const refund = await send(vendorPayload('stripe/charge-refunded'));
    expect(await whatBecameOf(shop, refund)).toMatchObject([
      { event_type: 'charge.refunded' },
      {
        data: { amount: 4250, refunded: 1000 },
        references: [
          { path: '/payment_intent', entity_type: 'payment' },
          { path: '/customer', entity_type: 'customer' },
        ],
      },
    ]);
  });

  test('refuses what was signed with another secret, and keeps what no rule reads', async () => {
    const payload = vendorPayload('stripe/customer-created');
    const forged = webhooks.generateTestHeaderString({ payload: payload.sent, secret: 'whsec_another' });
    const headers = { ...payload.headers, 'stripe-signature': forged };
    expectProblem(await shop.ask('nobody', 'POST /v1/webhooks/stripe', { body: payload.sent, headers }), 'auth.failed');
    expect((await send(changed(payload, { '/type': 'customer.source.created' }))).body).toMatchObject({
      verdict: 'unmatched',
    });
  });

  testThatAnswersAreDescribed(shop);
});

describe('the contract for Salesforce, as it is shipped', () => {
  const shop = serveExample('salesforce', { SALESFORCE_RELAY_KEY: 'the-relay' });
  const send = async (name: string): Promise<Answer> => {
    const { headers, sent } = vendorPayload(`salesforce/${name}`);
    const credential = { 'x-api-key': 'the-relay', prefer: 'wait=20' };
    return shop.ask('nobody', 'POST /v1/webhooks/crm', { body: sent, headers: { ...headers, ...credential } });
  };
  const accountOf = async (externalId: string): Promise<Answer['body']> => {
    const { body } = await shop.look(`/v1/mappings/crm/customer/${externalId}`);
    return (await shop.look(`/v1/entities/customer/${String(body?.['internal_id'])}`)).body;
  };

  test('patches every record that changed alike, clears what is null and keeps what is absent', async () => {
    await send('account-create');
    const answer = await send('account-update-of-two');
    expect(answer.body).toMatchObject({ results: [{ outcome: 'applied' }, { outcome: 'applied' }] });
    expect(await accountOf('001Ws00003kTqYvIAK')).toMatchObject({
      data: { name: 'Lindqvist & Co', phone: null },
      references: [{ path: '/ParentId', entity_type: 'customer' }],
    });
    expect((await accountOf('001Ws00003kTqYwIAK'))?.['data']).toEqual({ phone: null });
    await send('account-delete');
    expect(await accountOf('001Ws00003kTqYwIAK')).toMatchObject({ deleted: true });
    expect((await send('account-gap-update')).body).toMatchObject({ verdict: 'unmatched' });
  });

  testThatAnswersAreDescribed(shop);
});
