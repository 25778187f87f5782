import { describe, expect, test } from '@jest/globals';
import { namesInBody } from './names-in-body.js';

describe('what a body reads', () => {
  test.each([
    ['entity.data', ['entity']],
    ['{ "a": entity.data.current, "b": event }', ['entity', 'event']],
    ['event.payload.lines.{ "id": id, "of": current }', ['event']],
    ['event.payload.lines[qty > 0]', ['event']],
    ['event.payload.lines.{ "p": $$.refs.product, "q": $.current }', ['event', 'refs']],
    ['event.payload.lines^(price)', ['event']],
    ['event.payload.lines{ sku: qty }', ['event']],
    ['$map(event.payload.lines, function($line) { $line.qty * state })', ['event', 'state']],
    ['current', ['current']],
    ['($x := mapping; $x.external_id)', ['mapping']],
    ['refs ~> $merge', ['refs']],
    ['state = "PAID" ? entity : event', ['state', 'entity', 'event']],
    ['"text"', []],
  ])('%s starts at %j', (source, inputs) => {
    expect([...(namesInBody(source)?.inputs ?? [])].sort()).toEqual([...inputs].sort());
  });

  test('the functions that it is given, and what they are asked for', () => {
    const source =
      '{ "c": $ref("customer", event.payload.id), "l": event.payload.lines.{ "p": $ref("product", id) }, "t": $exact("1.00"), "k": $secrets.key, "d": $ref(kind, id) }';
    expect(namesInBody(source)).toMatchObject({
      refs: ['customer', 'product'],
      exacts: ['1.00'],
      secrets: ['key'],
      variables: new Set(['$ref', '$exact', '$secrets']),
    });
  });

  test('nothing is known of what is no JSONata', () => {
    expect(namesInBody('{ "a": }')).toBeUndefined();
  });
});
