import jsonata from 'jsonata';

/** What a body reads: its inputs by name, and the functions that Crosswalk gives to it. */
export interface BodyNames {
  /** First steps of paths that start at the whole input, such as `entity` in `entity.data` and `$$.entity.data`. */
  readonly inputs: ReadonlySet<string>;
  /** What `$ref` is asked for in so many words, and what `$exact` is. */
  readonly refs: readonly string[];
  readonly exacts: readonly string[];
  /** The members of `$secrets` that are named. */
  readonly secrets: readonly string[];
  /** `$ref`, `$exact` and `$secrets`, as far as they occur. */
  readonly variables: ReadonlySet<string>;
}

type Node = Readonly<Record<string, unknown>>;

/** Returns undefined where the expression is no JSONata. */
export function namesInBody(source: string): BodyNames | undefined {
  try {
    const names = { inputs: new Set<string>(), refs: [], exacts: [], secrets: [], variables: new Set<string>() };
    visit(jsonata(source).ast(), true, names);
    return names;
  } catch {
    return undefined;
  }
}

interface Gathered {
  readonly inputs: Set<string>;
  readonly refs: string[];
  readonly exacts: string[];
  readonly secrets: string[];
  readonly variables: Set<string>;
}

const GIVEN = ['ref', 'exact', 'secrets'];
/** `$$`, as JSONata's parser calls it. */
const WHOLE_INPUT = '$';

/** @param isWhole whether names are looked up in the whole input, and not in what a path has led to */
function visit(value: unknown, isWhole: boolean, names: Gathered): void {
  if (Array.isArray(value)) return value.forEach((item) => visit(item, isWhole, names));
  if (!isNode(value)) return;
  if (value['type'] === 'path') return visitPath(value, isWhole, names);
  if (value['type'] === 'name' && isWhole) names.inputs.add(String(value['value']));
  if (value['type'] === 'variable' && GIVEN.includes(String(value['value']))) {
    names.variables.add(`$${String(value['value'])}`);
  }
  if (value['type'] === 'function') gatherCall(value, names);
  const { predicate, stages, group, pattern, update, ...rest } = value;
  visit([predicate, stages, group, pattern, update], false, names);
  visit(Object.values(rest), isWhole, names);
}

/** What stands before a dot, and in brackets or braces behind it, is looked up in what was reached. */
function visitPath(path: Node, isWhole: boolean, names: Gathered): void {
  const [first, ...others] = path['steps'] as readonly Node[];
  visit(first, isWhole, names);
  visit(others, false, names);
  visit([path['group'], path['predicate'], path['stages']], false, names);
  const [member] = others;
  if (first?.['type'] !== 'variable' || member?.['type'] !== 'name') return;
  if (first['value'] === 'secrets') names.secrets.push(String(member['value']));
  if (first['value'] === WHOLE_INPUT) names.inputs.add(String(member['value']));
}

function gatherCall(call: Node, { refs, exacts }: Gathered): void {
  const called = call['procedure'] as Node | undefined;
  const [first] = (call['arguments'] ?? []) as readonly Node[];
  if (called?.['type'] !== 'variable' || first?.['type'] !== 'string') return;
  if (called['value'] === 'ref') refs.push(String(first['value']));
  if (called['value'] === 'exact') exacts.push(String(first['value']));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}
