import { describe, expect, test } from '@jest/globals';
import { HttpConnection } from '../support/http-connection.js';
import { expectProblem } from './expect-problem.js';
import { serveShop } from './shop-api.js';

describe('requests that no route understands get a problem document too', () => {
  const shop = serveShop();

  test.each(['GET /', 'GET /v1/nothing', 'POST /v1/events/42', 'DELETE /v1/events', 'GET /v1/mappings/crm/customer'])(
    '%s is not there',
    async (route) => {
      expectProblem(await shop.ask('admin', route), 'resource.not_found');
    },
  );

  test.each([
    ['that is not percent-encoded properly', 'GET /v1/traces/%zz'],
    ['whose bytes are no UTF-8', 'GET /v1/traces/%ff'],
  ])('a path %s', async (_name, route) => {
    const answer = await shop.ask('admin', route);
    expect({ status: answer.status, type: answer.headers.get('content-type'), code: answer.body?.['code'] }).toEqual({
      status: 400,
      type: expect.stringMatching(/^application\/problem\+json/),
      code: 'request.invalid',
    });
  });

  test('a path part that is longer than any id', async () => {
    const answer = await shop.ask('admin', `GET /v1/traces/${'x'.repeat(4000)}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  test('an expectation that no server knows is passed over', async () => {
    const connection = new HttpConnection(Number(new URL(shop.service.url).port));
    const answer = await connection.send(
      Buffer.from('POST /v1/events HTTP/1.1\r\nHost: here\r\nExpect: the-unexpected\r\nContent-Length: 2\r\n\r\n{}'),
    );
    connection.close();
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([401, { code: 'auth.failed' }]);
  });
});
