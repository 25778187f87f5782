import { describe, expect, test } from '@jest/globals';
import type { ApiDocument } from './described-answers.js';
import { CALLERS, serveShop, testThatAnswersAreDescribed, type Caller } from './shop-api.js';

/** What each route says to each caller; `in` is any answer that a caller who is let in can get. */
type Says = 'in' | 401 | 403;
type Row = Readonly<Record<Caller, Says>>;

const everybody: Row = { nobody: 'in', viewer: 'in', operator: 'in', admin: 'in', crm: 'in', erp: 'in', wms: 'in' };
const fromViewer: Row = { nobody: 401, viewer: 'in', operator: 'in', admin: 'in', crm: 403, erp: 403, wms: 403 };
const fromOperator: Row = { ...fromViewer, viewer: 403 };
/** Any system sends its own events; an access key is for people. */
const systems: Row = { nobody: 401, viewer: 403, operator: 403, admin: 403, crm: 'in', erp: 'in', wms: 'in' };

const RULES: Readonly<Record<string, Row>> = {
  'GET /health/live': everybody,
  'GET /health/ready': everybody,
  'POST /v1/events': systems,
  'POST /v1/events/batch': systems,
  'POST /v1/webhooks/{system}': { ...systems, erp: 401, wms: 401 },
  'GET /v1/webhooks/{system}': { ...systems, erp: 401, wms: 401 },
  'GET /v1/events': fromViewer,
  'GET /v1/events/{event_id}': fromViewer,
  'GET /v1/events/{event_id}/why': fromViewer,
  'GET /v1/traces/{correlation_id}': fromViewer,
  'GET /v1/entities/{entity_type}/{internal_id}': fromViewer,
  'GET /v1/entity-types/{entity_type}/states': fromViewer,
  'GET /v1/mappings/{system}/{entity_type}/{external_id}': fromViewer,
  'POST /v1/mappings/resolve': fromViewer,
  // A system writes back its own ids: the body below is about the ERP's.
  'PUT /v1/mappings': { ...fromOperator, erp: 'in' },
  // A system asks about what it sends itself: the body below is the CRM's.
  'POST /v1/keys/explain': { ...fromViewer, crm: 'in' },
  'GET /v1/pending-creates': fromViewer,
  'GET /v1/admin/conflicts': fromOperator,
  'GET /v1/admin/dead-letters': fromViewer,
  'GET /v1/admin/dead-letters/groups': fromViewer,
  'GET /v1/admin/dead-letters/{letter_id}': fromViewer,
  'POST /v1/admin/dead-letters/{letter_id}/replay': fromOperator,
  'POST /v1/admin/dead-letters/{letter_id}/edit': fromOperator,
  'POST /v1/admin/dead-letters/{letter_id}/discard': fromOperator,
  'POST /v1/admin/dead-letters/replays': fromOperator,
  'GET /v1/admin/dead-letters/replays/{replay_id}': fromViewer,
  'POST /v1/admin/dead-letters/replays/{replay_id}/cancel': fromOperator,
  'GET /v1/admin/audit': fromOperator,
  'GET /v1/admin/contracts': fromOperator,
  'GET /v1/admin/contracts/{number}': fromOperator,
  'GET /v1/admin/contracts/{number}/diff': fromOperator,
};

const HOLES: Readonly<Record<string, string>> = {
  system: 'crm',
  entity_type: 'customer',
  external_id: 'C-1',
  event_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  internal_id: '01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2a',
  correlation_id: 'nobody-knows',
  number: '1',
  letter_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  replay_id: '01890a5d-c0de-7000-8000-000000000004',
};
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /v1/keys/explain': { system: 'crm', body: {} },
  'PUT /v1/mappings': {
    system: 'erp',
    entity_type: 'customer',
    external_id: 'ERP-1',
    internal_id: HOLES['internal_id'],
  },
};

describe('who may use a route', () => {
  const shop = serveShop();

  test('is decided for every route of openapi.json, and for no other', async () => {
    const document = (await (await fetch(`${shop.service.url}/openapi.json`)).json()) as ApiDocument;
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.sort()).toEqual(Object.keys(RULES).sort());
  });

  const cases = Object.entries(RULES).flatMap(([route, row]) =>
    CALLERS.map((caller): [string, Caller, Says] => [route, caller, row[caller]]),
  );

  test.each(cases)('%s for %s: %s', async (route, caller, says) => {
    const path = route.replaceAll(/\{(\w+)\}/g, (_hole, name: string) => HOLES[name] ?? name);
    const isRead = route.startsWith('GET');
    const { status, body } = await shop.ask(caller, path, isRead ? {} : { body: BODIES[route] ?? {} });
    if (says !== 'in') {
      expect({ status, code: body?.['code'] }).toEqual({
        status: says,
        code: says === 401 ? 'auth.failed' : 'access.denied',
      });
      return;
    }
    expect([401, 403]).not.toContain(status);
    expect(status).toBeLessThan(500);
  });

  test.each(['GET /v1/events', 'GET /v1/admin/conflicts'])(
    'a key that is nearly right is nobody: %s',
    async (route) => {
      for (const authorization of [
        'Bearer admin-key-9c0d1e2',
        'Bearer admin-key-9c0d1e2f0',
        'Basic admin-key-9c0d1e2f',
      ]) {
        expect((await shop.ask('nobody', route, { headers: { authorization } })).status).toBe(401);
      }
    },
  );

  test('the documents are open', async () => {
    for (const path of ['/openapi.json', '/docs', '/docs/swagger-ui-bundle.js', '/docs/errors']) {
      expect({ path, status: (await fetch(`${shop.service.url}${path}`)).status }).toEqual({ path, status: 200 });
    }
  });

  testThatAnswersAreDescribed(shop);
});
