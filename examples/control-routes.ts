import type { CallLog } from './call-log.js';
import { readFaultRules } from './fault-rule.js';
import type { FaultScript } from './fault-script.js';
import { COLLECTIONS, type RecordStore, type SystemName } from './record-store.js';

/** What the control plane looks at and changes. */
export interface ControlledParts {
  readonly system: SystemName;
  readonly store: RecordStore;
  readonly calls: CallLog;
  readonly faults: FaultScript;
}

export interface ControlAnswer {
  readonly status: number;
  readonly body: string;
}

/** The routes for tests and demos, under `/_control` and `/_raw`. No fault strikes them and no log lists them. */
export function answerControlRequest(
  parts: ControlledParts,
  request: { readonly method: string; readonly url: URL; readonly body: string },
): ControlAnswer {
  const { pathname } = request.url;
  if (request.method === 'GET' && pathname.startsWith('/_raw/')) return rawBody(parts.store, pathname);
  switch (`${request.method} ${pathname}`) {
    case 'GET /_control':
      return json(200, { system: parts.system });
    case 'GET /_control/calls':
      return json(200, parts.calls.all());
    case 'DELETE /_control/calls':
      parts.calls.clear();
      return json(200, { calls: 0 });
    case 'GET /_control/records':
      return json(200, Object.fromEntries(COLLECTIONS.map((name) => [name, parts.store.all(name)])));
    case 'POST /_control/faults':
      return loadFaults(parts.faults, request.body);
    case 'POST /_control/reset':
      parts.store.clear();
      parts.calls.clear();
      parts.faults.load([]);
      return json(200, { reset: true });
    default:
      return json(404, { error: `there is no ${request.method} ${pathname}; see examples/README.md` });
  }
}

function loadFaults(faults: FaultScript, body: string): ControlAnswer {
  let script: unknown;
  try {
    script = JSON.parse(body);
  } catch {
    return json(400, { error: 'the fault script is refused', problems: ['the body is not JSON'] });
  }
  const read = readFaultRules(script);
  if (read.kind === 'refused') return json(400, { error: 'the fault script is refused', problems: read.problems });
  faults.load(read.rules);
  return json(200, { rules: read.rules.length });
}

function rawBody(store: RecordStore, pathname: string): ControlAnswer {
  const [, , name, id] = pathname.split('/');
  const collection = COLLECTIONS.find((known) => known === name);
  const record = collection === undefined ? undefined : store.find(collection, id);
  if (record === undefined) return json(404, { error: `there is no record at ${pathname}` });
  return { status: 200, body: record.raw };
}

function json(status: number, value: unknown): ControlAnswer {
  return { status, body: JSON.stringify(value) };
}
