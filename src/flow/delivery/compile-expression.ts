import jsonata from 'jsonata';
import { ExactNumber, toComparable, toDouble, toJsonText } from './exact-numbers.js';

const compiledByText = new Map<string, jsonata.Expression>();

/**
 * Compiles a JSONata expression so that its operators understand exact numbers: what they are given is turned into a
 * text, a double or something comparable first, as the operator needs it.
 */
export function compileExpression(expression: string): jsonata.Expression {
  const known = compiledByText.get(expression);
  if (known !== undefined) return known;
  const compiled = jsonata(expression);
  wrapOperands(compiled.ast(), new Set());
  for (const [name, convert] of Object.entries(CONVERSIONS)) compiled.assign(name, convert);
  compiled.assign('number', asNumber);
  compiled.assign('string', asText);
  compiledByText.set(expression, compiled);
  return compiled;
}

/** Names that no expression of a contract writes, for the conversions that operators are given. */
const CONVERSIONS = {
  crosswalk_double: (value: unknown) => convertEach(value, toDouble),
  crosswalk_comparable: (value: unknown) => convertEach(value, toComparable),
  crosswalk_truth: (value: unknown) => convertEach(value, (number) => toComparable(number) !== 0),
  crosswalk_text: asText,
} as const;

const CONVERSION_OF_OPERATOR: Readonly<Record<string, keyof typeof CONVERSIONS>> = {
  '+': 'crosswalk_double',
  '-': 'crosswalk_double',
  '*': 'crosswalk_double',
  '/': 'crosswalk_double',
  '%': 'crosswalk_double',
  '<': 'crosswalk_double',
  '<=': 'crosswalk_double',
  '>': 'crosswalk_double',
  '>=': 'crosswalk_double',
  '=': 'crosswalk_comparable',
  '!=': 'crosswalk_comparable',
  in: 'crosswalk_comparable',
  and: 'crosswalk_truth',
  or: 'crosswalk_truth',
  '&': 'crosswalk_text',
};

interface Node {
  type?: unknown;
  value?: unknown;
  position?: unknown;
  lhs?: unknown;
  rhs?: unknown;
  condition?: unknown;
  expression?: unknown;
}

function wrapOperands(value: unknown, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  for (const part of Object.values(value)) wrapOperands(part, seen);
  const node: Node = value;
  if (node.type === 'binary' && typeof node.value === 'string' && Object.hasOwn(CONVERSION_OF_OPERATOR, node.value)) {
    const conversion = CONVERSION_OF_OPERATOR[node.value];
    node.lhs = callOf(conversion, node.lhs, node.position);
    node.rhs = callOf(conversion, node.rhs, node.position);
  }
  if (node.type === 'unary' && node.value === '-') {
    node.expression = callOf('crosswalk_double', node.expression, node.position);
  }
  if (node.type === 'condition') node.condition = callOf('crosswalk_truth', node.condition, node.position);
}

/** A function call as JSONata's own parser builds it. */
function callOf(conversion: string | undefined, operand: unknown, position: unknown): object {
  const procedure = { type: 'variable', value: conversion, position };
  return { type: 'function', value: '(', position, procedure, arguments: [operand] };
}

function convertEach(value: unknown, convert: (number: ExactNumber) => unknown): unknown {
  if (value instanceof ExactNumber) return convert(value);
  const hasExact = Array.isArray(value) && value.some((item) => item instanceof ExactNumber);
  return hasExact ? value.map((item: unknown) => (item instanceof ExactNumber ? convert(item) : item)) : value;
}

/** JSONata's `$string`, but for the digits of exact numbers. Doubles are rounded to 15 digits, as JSONata does. */
function asText(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  if (typeof value === 'function') return '';
  return toJsonText(rounded(value));
}

function rounded(value: unknown): unknown {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error('A number is too large to be written as text');
    return Number(value.toPrecision(15));
  }
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rounded(member)]));
}

/** JSONata's `$number`, which would refuse an exact number. */
function asNumber(value: unknown): unknown {
  if (value instanceof ExactNumber) return toDouble(value);
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string') return value;
  const double = Number(value);
  if (value.trim() === '' || Number.isNaN(double)) throw new Error('$number() was given a text that is no number');
  return double;
}
