import type { Ingest } from '../../domain/contract/contract.js';
import type { Message } from '../../domain/contract/message.js';
import type { Selector } from '../../domain/contract/selector.js';

/** What a dead letter keeps of a webhook beside its body. */
export interface KeptRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** A credential may stand under any of these names, whatever the contract says about it. */
const CREDENTIAL_NAME = /auth(?!or(s|-|$))|cookie|password|secret|signature|token|hmac|(?<!^idempotency-)key/i;
/** Of the way here and not of the sender's fact. */
const OF_THE_TRANSPORT: ReadonlySet<string> = new Set(['connection', 'content-length', 'host', 'transfer-encoding']);

/** The parts that rules may read, without those that may be credentials: these are kept nowhere. */
export function keptRequest(message: Message, ingest: Ingest): KeptRequest {
  const credentials = new Set(
    ingest.auth.flatMap((auth) => (auth.scheme === 'basic' ? [] : [auth.header.toLowerCase()])),
  );
  const isKept = ([name]: readonly [string, string]): boolean =>
    !CREDENTIAL_NAME.test(name) && !credentials.has(name) && !OF_THE_TRANSPORT.has(name);
  return {
    headers: Object.fromEntries([...message.headers].filter(isKept)),
    query: Object.fromEntries([...message.query].filter(isKept)),
  };
}

/** What the conditions of the system's rules look at outside of the body, with what stands there. */
export function distinctionOf(message: Message, { webhooks }: Ingest): readonly string[] {
  const places = new Map(
    webhooks.flatMap(({ when }) => when.map(({ place }): [string, Selector] => [place.source.toLowerCase(), place])),
  );
  return [...places]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([source, place]) => {
      const value = valueOutside(message, place);
      return value === undefined ? [] : [`${source}=${value}`];
    });
}

function valueOutside(message: Message, place: Selector): string | undefined {
  if (place.kind === 'header') return message.headers.get(place.name);
  return place.kind === 'query' ? message.query.get(place.name) : undefined;
}
