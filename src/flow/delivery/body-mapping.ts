import type { Json } from '../../domain/json/json.js';
import { SyncError } from '../../domain/sync-error.js';
import { compileExpression } from './compile-expression.js';
import { toJsonText, toPlain } from './exact-numbers.js';

/** What an expression of the contract sees. */
export interface BodyInput {
  readonly entity: Json;
  readonly event: Json;
  readonly mapping: Json;
  /** The state that the entity is in; null where its type has none. */
  readonly state: string | null;
}

/**
 * Makes the body of a call by the contract's JSONata expression. Numbers reach the target with the digits and the
 * scale in which they were sent; arithmetic on one that a double cannot hold is an error that says so.
 *
 * @throws SyncError `target.unmappable`, which names the expression and the position
 */
export async function makeBody(expression: string, input: BodyInput): Promise<string> {
  const { entity, event, mapping, state } = input;
  const plain = { entity: toPlain(entity), event: toPlain(event), mapping: toPlain(mapping), state };
  let body: string | undefined;
  try {
    body = toJsonText(await compileExpression(expression).evaluate(plain));
  } catch (error) {
    throw unmappable(expression, error);
  }
  if (body !== undefined) return body;
  throw new SyncError('target.unmappable', `The expression gives nothing: ${excerpt(expression)}`);
}

function unmappable(expression: string, error: unknown): SyncError {
  const { message, position } = readJsonataError(error);
  const at = position === undefined ? '' : ` at character ${String(position)}`;
  const detail = `${message}${at} of the expression ${excerpt(expression)}`;
  return new SyncError('target.unmappable', detail, { cause: error });
}

/** JSONata throws plain objects with a message and a position. */
function readJsonataError(error: unknown): { message: string; position: number | undefined } {
  if (typeof error !== 'object' || error === null) return { message: String(error), position: undefined };
  const message = 'message' in error ? String(error.message) : 'The expression failed';
  const position = 'position' in error && typeof error.position === 'number' ? error.position : undefined;
  return { message, position };
}

function excerpt(expression: string): string {
  return expression.length <= 120 ? expression : `${expression.slice(0, 120)}…`;
}
