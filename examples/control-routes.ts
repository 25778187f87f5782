import { json, type Answer } from './answer.js';
import { busiestWindow } from './busiest-window.js';
import { readFaultRules } from './fault-rule.js';
import { isObjectText, membersOf, scalarOf } from './json-text.js';
import { COLLECTIONS, type RecordStore } from './record-store.js';
import type { SampleSystem } from './sample-system.js';
import { readSettings } from './settings.js';
import { endJob } from './tell-about.js';

export interface ControlRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
}

/** The routes for tests and demos, under `/_control` and `/_raw`. No fault strikes them and no log lists them. */
export async function answerControlRequest(system: SampleSystem, request: ControlRequest): Promise<Answer> {
  const { pathname } = request.url;
  if (request.method === 'GET' && pathname.startsWith('/_raw/')) return rawBody(system.store, pathname);
  const jobId = /^\/_control\/jobs\/([^/]+)$/.exec(pathname)?.[1];
  if (request.method === 'POST' && jobId !== undefined) return end(system, jobId, request.body);
  return lookAt(system, request) ?? change(system, request) ?? noRoute(request);
}

function lookAt(system: SampleSystem, { method, url }: ControlRequest): Answer | undefined {
  switch (`${method} ${url.pathname}`) {
    case 'GET /_control':
      return json(200, { system: system.name });
    case 'GET /_control/calls':
      return json(200, system.calls.all());
    case 'GET /_control/arrivals':
      return arrivals(system, Number(url.searchParams.get('window_ms') ?? 1000));
    case 'GET /_control/records':
      return json(200, Object.fromEntries(COLLECTIONS.map((name) => [name, system.store.all(name)])));
    case 'GET /_control/changes':
      return json(200, system.store.changes());
    case 'GET /_control/jobs':
      return json(200, system.jobs.all());
    case 'GET /_control/webhooks':
      return json(200, system.webhooks.all());
    case 'GET /_control/logins':
      return json(200, { logins: system.tickets.issued });
    case 'GET /_control/held':
      return json(200, { held: system.held.count });
    default:
      return undefined;
  }
}

function change(system: SampleSystem, { method, url, body }: ControlRequest): Answer | undefined {
  switch (`${method} ${url.pathname}`) {
    case 'DELETE /_control/calls':
      system.calls.clear();
      return json(200, { calls: 0 });
    case 'POST /_control/faults':
      return loadFaults(system, body);
    case 'POST /_control/settings':
      return changeSettings(system, body);
    case 'POST /_control/revoke':
      return json(200, { revoked: system.tickets.revokeAll() });
    case 'POST /_control/release':
      return json(200, { released: system.held.release(countIn(url)) });
    case 'POST /_control/reset':
      system.reset();
      return json(200, { reset: true });
    default:
      return undefined;
  }
}

function noRoute({ method, url }: ControlRequest): Answer {
  return json(404, { error: `there is no ${method} ${url.pathname}; see examples/README.md` });
}

function loadFaults({ faults }: SampleSystem, body: string): Answer {
  const read = readFaultRules(valueOf(body));
  if (read.kind === 'refused') return refuse('the fault script is refused', body, read.problems);
  faults.load(read.rules);
  return json(200, { rules: read.rules.length });
}

function changeSettings(system: SampleSystem, body: string): Answer {
  const read = readSettings(valueOf(body));
  if (read.kind === 'refused') return refuse('the settings are refused', body, read.problems);
  system.change(read.settings);
  return json(200, { changed: Object.keys(read.settings) });
}

function refuse(error: string, body: string, problems: readonly string[]): Answer {
  return json(400, { error, problems: valueOf(body) === undefined ? ['the body is not JSON'] : problems });
}

/** Undefined where the text is not JSON. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Done, or failed with `{"refused": "…"}`. Answers when the webhook, if there is one, was answered. */
async function end(system: SampleSystem, jobId: string, body: string): Promise<Answer> {
  const refused = isObjectText(body) ? scalarOf(membersOf(body).get('refused')) : undefined;
  if (!(await endJob(system, jobId, refused))) return json(404, { error: `no job ${jobId} is pending` });
  return json(200, system.jobs.find(jobId));
}

/** Every call counts that arrived, answered or not, refused or not. */
function arrivals({ calls }: SampleSystem, windowMs: number): Answer {
  const { most, from } = busiestWindow(
    calls.all().map(({ at }) => Date.parse(at)),
    windowMs,
  );
  return json(200, { window_ms: windowMs, most, from: from === undefined ? null : new Date(from).toISOString() });
}

function rawBody(store: RecordStore, pathname: string): Answer {
  const [, , name, id] = pathname.split('/');
  const collection = COLLECTIONS.find((known) => known === name);
  const record = collection === undefined ? undefined : store.find(collection, id);
  if (record === undefined) return json(404, { error: `there is no record at ${pathname}` });
  return { status: 200, body: record.raw };
}

function countIn(url: URL): number | undefined {
  const count = url.searchParams.get('count');
  return count === null ? undefined : Number(count);
}
