import type { Answer, SystemRequest } from '../answer.js';
import { elementsOf, isObjectText, membersOf, objectOf, scalarOf } from '../json-text.js';
import type { Dialect, DialectParts } from './dialect.js';
import { callModel, isModel } from './odoo-models.js';
import { OdooError, refusalOf } from './odoo-error.js';

/**
 * JSON-RPC as Odoo speaks it (External API, `POST /jsonrpc`): every answer is HTTP 200, errors too, and the
 * credentials are the first three arguments of each call.
 */
export const odoo: Dialect = {
  nameId: (_, number) => String(number),
  settings: {
    auth: { scheme: 'body', db: 'sample', uid: 2, user: 'hub@example.com', password: 'odoo-key' },
    idempotency: 'none',
  },
  answer(parts, request) {
    if (request.url.pathname !== '/jsonrpc' || request.method !== 'POST')
      return { status: 404, body: '<!doctype html><title>404 Not Found</title>', headers: HTML };
    return answerCall(parts, request);
  },
  // Odoo itself limits nothing; what stands before its hosted version answers a page.
  refuse: () => ({ status: 429, body: '<html><h1>429 Too Many Requests</h1></html>', headers: HTML }),
  mask: maskArguments,
};

const HTML = { 'content-type': 'text/html; charset=utf-8' };
/** Where the password stands among the arguments, of a login and of every other call. */
const PASSWORD_AT = 2;

function answerCall(parts: DialectParts, request: SystemRequest): Answer {
  const call = isObjectText(request.body) ? membersOf(request.body) : new Map<string, string>();
  const id = call.get('id') ?? 'null';
  try {
    return envelope(id, ['result', resultOf(parts, membersOf(call.get('params') ?? '{}'), request.idempotencyKey)]);
  } catch (error) {
    // What Odoo does not expect is an error of its own, with HTTP 200 as well.
    const known = error instanceof OdooError ? error : new OdooError('builtins.ValueError', String(error));
    return envelope(id, ['error', refusalOf(known)]);
  }
}

/** The result as a text of JSON. */
function resultOf(parts: DialectParts, params: Map<string, string>, idempotencyKey: string | undefined): string {
  const args = elementsOf(params.get('args') ?? '[]');
  const service = scalarOf(params.get('service'));
  const method = scalarOf(params.get('method'));
  if (service === 'common' && method === 'version') return '{"server_version":"17.0","protocol_version":1}';
  if (service === 'common' && (method === 'login' || method === 'authenticate')) return logIn(parts, args);
  if (service !== 'object' || method !== 'execute_kw')
    throw new OdooError('builtins.ValueError', `No such service or method: ${service}.${method}`);

  const [db, uid, password, model, verb, positional = '[]', named = '{}'] = args;
  requireCredentials(parts, [db, uid, password]);
  const name = scalarOf(model) ?? '';
  if (!isModel(name)) throw new OdooError('builtins.KeyError', name);
  return callModel(parts, {
    model: name,
    verb: scalarOf(verb) ?? '',
    args: elementsOf(positional),
    named: membersOf(named),
    idempotencyKey,
  });
}

/** The number of the user, or `false`: a wrong login is no error. */
function logIn({ settings: { auth } }: DialectParts, [db, user, password]: readonly string[]): string {
  if (auth.scheme !== 'body') return '1';
  const isKnown = scalarOf(db) === auth.db && scalarOf(user) === auth.user && scalarOf(password) === auth.password;
  return isKnown ? String(auth.uid) : 'false';
}

function requireCredentials({ settings: { auth } }: DialectParts, given: readonly (string | undefined)[]): void {
  if (auth.scheme !== 'body') return;
  const [db, uid, password] = given.map(scalarOf);
  if (db !== auth.db) throw new OdooError('psycopg2.OperationalError', `database "${db ?? ''}" does not exist`);
  // The server compares a number; `"2"` is nobody.
  const isUser = given[1]?.startsWith('"') === false && uid === String(auth.uid);
  if (!isUser || password !== auth.password) throw new OdooError('odoo.exceptions.AccessDenied', 'Access Denied');
}

function envelope(id: string, [name, value]: readonly [string, string]): Answer {
  return {
    status: 200,
    body: objectOf([
      ['jsonrpc', '"2.0"'],
      ['id', id],
      [name, value],
    ]),
  };
}

function maskArguments(body: string): string {
  if (!isObjectText(body)) return body;
  const call = membersOf(body);
  const params = membersOf(call.get('params') ?? '{}');
  const args = elementsOf(params.get('args') ?? '[]');
  if (args[PASSWORD_AT] === undefined) return body;
  args[PASSWORD_AT] = '"***"';
  params.set('args', `[${args.join(',')}]`);
  return objectOf(call.set('params', objectOf(params)));
}
