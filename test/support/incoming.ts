import { Socket } from 'node:net';
import type { Incoming } from '../../src/platform/http/exchange.js';

export interface Sent {
  /** Names in lower case; a list where a header stands more than once. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string | Buffer;
  readonly method?: string;
  readonly url?: string;
}

/** A request as Node hands it over. */
export function incoming({ headers, body = '', method = 'POST', url = '/v1/webhooks/shop' }: Sent): Incoming {
  const present = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const joined = present.map(([name, value]) => [name, [value].flat().join(', ')]);
  const distinct = present.map(([name, value]) => [name, [value].flat()]);
  return {
    headers: Object.fromEntries(joined) as Incoming['headers'],
    body: Buffer.from(body),
    raw: { headersDistinct: Object.fromEntries(distinct) as NodeJS.Dict<string[]>, method, socket: new Socket(), url },
  };
}
