import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import schema from '../../../../config/crosswalk.schema.json' with { type: 'json' };

type Node = Readonly<Record<string, unknown>>;

describe('the JSON Schema that editors load', () => {
  test('is valid draft 7', () => {
    expect(new Ajv({ strict: false }).validateSchema(schema)).toBe(true);
  });

  test('describes every key, so that an editor can explain it', () => {
    const undescribed = [...keysIn(schema, '')].filter(([, node]) => !isDescribed(node)).map(([path]) => path);
    expect(undescribed).toEqual([]);
  });
});

/** Every key that some `properties` names. `true` only repeats, in a branch, a key that is described beside it. */
function* keysIn(value: unknown, path: string): Generator<readonly [string, Node]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    if (name === 'properties' && !path.endsWith('/if')) yield* namedKeys(child as Node, path);
    yield* keysIn(child, `${path}/${name}`);
  }
}

function* namedKeys(properties: Node, path: string): Generator<readonly [string, Node]> {
  for (const [key, node] of Object.entries(properties)) {
    if (node !== true) yield [`${path}/${key}`, node as Node];
  }
}

function isDescribed(node: Node): boolean {
  if (typeof node['description'] === 'string') return true;
  const definitions: Readonly<Record<string, Node>> = schema.definitions;
  return typeof definitions[String(node['$ref']).replace('#/definitions/', '')]?.['description'] === 'string';
}
