import jsonata from 'jsonata';
import type { Json } from '../../domain/json/json.js';
import { SyncError } from '../../domain/sync-error.js';
import { ExactNumbers } from './exact-numbers.js';

/** What an expression of the contract sees. */
export interface BodyInput {
  readonly entity: Json;
  readonly event: Json;
  readonly mapping: Json;
}

/**
 * Makes the body of a call by the contract's JSONata expression. Numbers reach the target with the digits and the
 * scale in which they were sent; `$number(x)` makes a number for arithmetic where a double holds it exactly.
 *
 * @throws SyncError `target.unmappable`, which names the expression and the position
 */
export async function makeBody(expression: string, input: BodyInput): Promise<string> {
  const numbers = new ExactNumbers();
  const plain = {
    entity: numbers.toPlain(input.entity),
    event: numbers.toPlain(input.event),
    mapping: numbers.toPlain(input.mapping),
  };
  let body: string | undefined;
  try {
    const compiled = compile(expression);
    body = numbers.toJson(await compiled.evaluate(plain, { number: numberFunction(numbers) }));
  } catch (error) {
    throw unmappable(expression, error);
  }
  if (body !== undefined) return body;
  throw new SyncError('target.unmappable', `The expression gives nothing: ${excerpt(expression)}`);
}

const compiledByText = new Map<string, jsonata.Expression>();

function compile(expression: string): jsonata.Expression {
  const known = compiledByText.get(expression);
  if (known !== undefined) return known;
  const compiled = jsonata(expression);
  compiledByText.set(expression, compiled);
  return compiled;
}

/** JSONata's `$number`, which would read a token as text that is no number. */
function numberFunction(numbers: ExactNumbers): (value: unknown) => unknown {
  return (value) => {
    if (typeof value !== 'string') return typeof value === 'boolean' ? Number(value) : value;
    const double = numbers.toDouble(value) ?? Number(value);
    if (value.trim() === '' || Number.isNaN(double)) throw new Error('$number() was given a text that is no number');
    return double;
  };
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
