import { beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { startService, type ServiceOptions, type ServiceProcess } from '../support/service-process.js';
import { SHOP_FILE, SHOP_SECRETS } from '../support/shop-contract.js';
import { suiteResources } from '../support/suite-resources.js';
import { createTestDatabase } from '../support/test-database.js';
import { describedAnswers, type ApiDocument } from './described-answers.js';

/** Who asks: nobody, somebody with an access key of that role, or a system with its own api-key. */
export const CALLERS = ['nobody', 'viewer', 'operator', 'admin', 'crm', 'erp', 'wms'] as const;
export type Caller = (typeof CALLERS)[number];

export const CREDENTIALS: Readonly<Record<Caller, Readonly<Record<string, string>>>> = {
  nobody: {},
  viewer: { authorization: `Bearer ${SHOP_SECRETS.VIEWER_KEY}` },
  operator: { authorization: `Bearer ${SHOP_SECRETS.OPERATOR_KEY}` },
  admin: { authorization: `Bearer ${SHOP_SECRETS.ADMIN_KEY}` },
  crm: { 'x-api-key': SHOP_SECRETS.CRM_API_KEY },
  erp: { 'x-api-key': SHOP_SECRETS.ERP_API_KEY },
  wms: { 'x-api-key': SHOP_SECRETS.WMS_API_KEY },
};

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined where it is no JSON. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

export interface Question {
  /** Text or bytes go out as they are; anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A process that serves the shop. Nobody listens where its targets should be. */
export interface ShopApi {
  readonly service: ServiceProcess;
  readonly databaseUrl: string;
  /** `route` is method and path, such as `GET /v1/events`. */
  ask(caller: Caller, route: string, question?: Question): Promise<Answer>;
  /** All answers so far. */
  readonly answers: readonly { readonly route: string; readonly answer: Answer }[];
  query<Row>(statement: string, values?: unknown[]): Promise<Row[]>;
}

/** For the suite that is being described. */
export function serveShop(env: Readonly<Record<string, string>> = {}, role: ServiceOptions['role'] = 'all'): ShopApi {
  const closeLater = suiteResources();
  const answers: { readonly route: string; readonly answer: Answer }[] = [];
  const shop = { answers } as unknown as { -readonly [Part in keyof ShopApi]: ShopApi[Part] };
  beforeAll(async () => {
    const storage = await createTestDatabase();
    closeLater(async () => storage.drop());
    const pool = new pg.Pool({ connectionString: storage.url, max: 2 });
    closeLater(async () => pool.end());
    const service = await startService({ env: { ...shopVariables(storage.url), ...env }, role });
    closeLater(async () => service.stop());
    Object.assign(shop, { service, databaseUrl: storage.url });
    shop.query = async <Row>(statement: string, values?: unknown[]) =>
      (await pool.query(statement, values)).rows as Row[];
  });
  shop.ask = async (caller, route, question) => {
    const answer = await ask(shop.service.url, caller, route, question);
    answers.push({ route, answer });
    return answer;
  };
  return shop;
}

/** The last test of a suite: no route answered in a way that its users could not have read about. */
export function testThatAnswersAreDescribed(shop: ShopApi): void {
  test('every answer above is one that openapi.json describes', async () => {
    const document = (await (await fetch(`${shop.service.url}/openapi.json`)).json()) as ApiDocument;
    const isDescribed = describedAnswers(document);
    const strange = shop.answers.filter(
      ({ route, answer }) => !isDescribed(route, answer.status, answer.body?.['code']),
    );
    const named = strange.map(({ route, answer }) => `${route.split('?')[0]}: ${answer.status} ${codeOf(answer)}`);
    expect([...new Set(named)]).toEqual([]);
  });
}

export function shopVariables(databaseUrl: string): Record<string, string> {
  const nowhere = 'http://127.0.0.1:9';
  return {
    ...SHOP_SECRETS,
    ERP_URL: nowhere,
    WMS_URL: nowhere,
    CROSSWALK_CONFIG: SHOP_FILE,
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'warn',
  };
}

async function ask(url: string, caller: Caller, route: string, { body, headers }: Question = {}): Promise<Answer> {
  const [method = '', path = ''] = route.split(/ (.*)/s);
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...CREDENTIALS[caller],
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: parse(text) };
}

function parse(text: string): Answer['body'] {
  try {
    return JSON.parse(text) as Answer['body'];
  } catch {
    return undefined;
  }
}

function codeOf({ body }: Answer): string {
  return typeof body?.['code'] === 'string' ? body['code'] : '';
}
