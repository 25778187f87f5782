import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonDocument } from '../../../test/support/arbitrary-json.js';
import { JsonNumber, isJsonObject, type Json } from './json.js';
import { JsonRefused, readJson, type JsonProblem } from './read-json.js';
import { draws } from '../../../test/support/draws.js';

/** What `JSON.parse` would have made of it. */
function plain(value: Json): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) return (value as readonly Json[]).map(plain);
  if (!isJsonObject(value)) return value;
  const members = [...value].map(([name, member]): [string, unknown] => [name, plain(member)]);
  return Object.fromEntries(members);
}

/** As text, because a comparison of objects would overlook an own `__proto__`. */
function printed(value: unknown): string {
  return JSON.stringify(value);
}

function problemOf(text: string): JsonProblem | undefined {
  try {
    readJson(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonRefused) return error.problem;
    throw error;
  }
}

function isAcceptedByParse(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('readJson beside JSON.parse', () => {
  test('reads the same values out of every document, however it is printed', () => {
    fc.assert(
      fc.property(jsonDocument, ({ text }) => {
        expect(printed(plain(readJson(text).value))).toBe(printed(JSON.parse(text)));
      }),
      { numRuns: draws(1_000) },
    );
  });

  test('keeps what JSON.parse loses: the text of numbers and the order of members', () => {
    fc.assert(
      fc.property(jsonDocument, ({ text, value }) => {
        expect(readJson(text).value).toEqual(value);
        expect([...namesIn(readJson(text).value)]).toEqual([...namesIn(value)]);
      }),
      { numRuns: draws(1_000) },
    );
  });

  test('refuses what it refuses, and of the rest only what our own rules name', () => {
    const character = fc.constantFrom(...Array.from('{}[],:"\\/0123456789eE+-.tfnrul \n\u0000\u0009\uFEFF\u00A0x'));
    const slip = fc.record({ at: fc.nat(400), insert: character, remove: fc.nat(2) });
    fc.assert(
      fc.property(jsonDocument, slip, ({ text }, { at, insert, remove }) => {
        const from = at % (text.length + 1);
        const broken = text.slice(0, from) + insert + text.slice(from + remove);
        const problem = problemOf(broken);
        if (isAcceptedByParse(broken)) expect(problem).not.toBe('not_json');
        else expect(problem).toBeDefined();
      }),
      { numRuns: draws(2_500) },
    );
  });

  test.each([
    '',
    ' ',
    '{',
    '}',
    '[',
    '[1',
    '[1,',
    '[1,]',
    '[,1]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '{"a":1 "b":2}',
    '01',
    '-',
    '+1',
    '.5',
    '1.',
    '1e',
    '1e+',
    '0x1',
    '1_000',
    'NaN',
    'Infinity',
    '-Infinity',
    'undefined',
    'True',
    'tru',
    'nul',
    'nulll',
    '1 2',
    '{}{}',
    '[] x',
    '"',
    '"a',
    '"\\"',
    '"\\x41"',
    '"\\u12"',
    '"\\u12g4"',
    '"\\',
    '"\n"',
    '"\t"',
    '"\u0000"',
    '\uFEFF{}',
    '\u00A01',
    '// c\n1',
    '/* */ 1',
    '"\\ud800',
    '1\u2028',
  ])('%j is no JSON', (text) => {
    expect(isAcceptedByParse(text)).toBe(false);
    expect(problemOf(text)).toBe('not_json');
  });
});

function* namesIn(value: Json): Generator<string> {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) yield* namesIn(item);
  if (!isJsonObject(value)) return;
  for (const [name, member] of value) {
    yield name;
    yield* namesIn(member);
  }
}

describe('readJson loses nothing', () => {
  test.each([
    '9007199254740993',
    '1299.00',
    '-0',
    '-0.0',
    '1E400',
    '1e-400',
    '0.1e+3',
    '123456789012345678901234567890',
  ])('the number %s keeps its text', (text) => {
    expect(readJson(text).value).toEqual(new JsonNumber(text));
    expect(readJson(` [ ${text} ] `).value).toEqual([new JsonNumber(text)]);
  });

  test('`__proto__`, `constructor` and numbers are names like any other, in their order', () => {
    const { value } = readJson('{"2":1,"__proto__":{"x":1},"1":2,"constructor":null}');
    expect(isJsonObject(value) && [...value.keys()]).toEqual(['2', '__proto__', '1', 'constructor']);
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });

  test('NUL comes through as the character that its escape means', () => {
    expect(readJson('{"a\\u0000b":"\\u0000"}').value).toEqual(new Map([['a\u0000b', '\u0000']]));
  });

  test('every escape is read', () => {
    expect(readJson(String.raw`"\"\\\/\b\f\n\r\t\u00e9\u00E9\ud83d\ude00"`).value).toBe('"\\/\b\f\n\r\téé😀');
  });
});

describe('readJson refuses', () => {
  test.each([
    ['a name that stands twice', '{"a":1,"a":1}', 'duplicate_name', 7],
    ['the same name in two spellings', '{"a":1,"\\u0061":2}', 'duplicate_name', 7],
    ['a name that stands twice further inside', '[{"b":{"a":1,"a":2}}]', 'duplicate_name', 13],
    ['`__proto__` twice', '{"__proto__":1,"__proto__":2}', 'duplicate_name', 15],
    ['half a pair at the end', '"a\\ud83d"', 'lone_surrogate', 0],
    ['the other half alone', '["\\ude00"]', 'lone_surrogate', 1],
    ['two halves in the wrong order', '"\\ude00\\ud83d"', 'lone_surrogate', 0],
    ['half a pair in a name', '{"\\ud83dx":1}', 'lone_surrogate', 1],
    ['a value after the end', '{} {}', 'not_json', 3],
  ] as const)('%s, and says where', (_what, text, problem, at) => {
    expect(() => readJson(text)).toThrow(expect.objectContaining({ problem, at }));
  });

  test('the same name in two objects is no repetition', () => {
    expect(problemOf('{"a":{"a":[{"a":1},{"a":2}]}}')).toBeUndefined();
  });

  test.each([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ])('what is nested 65 deep and takes what is nested 64 deep, with %j', (open, close) => {
    const levels = open.startsWith('[{') ? 2 : 1;
    const nested = (depth: number): string => open.repeat(depth / levels) + '1' + close.repeat(depth / levels);
    expect(problemOf(nested(64))).toBeUndefined();
    expect(problemOf(levels === 1 ? nested(65) : `[${nested(64)}]`)).toBe('too_deep');
  });

  test('depth is counted by nesting, not by the number of objects', () => {
    expect(problemOf(`[${Array.from({ length: 200 }, () => '[{}]').join(',')}]`)).toBeUndefined();
  });

  test('a hundred thousand open brackets without exhausting the stack', () => {
    expect(problemOf('['.repeat(100_000))).toBe('too_deep');
    expect(problemOf('{"a":'.repeat(100_000))).toBe('too_deep');
  });
});

describe('readJson and large documents', () => {
  test.each([
    ['one string of 5 MB', JSON.stringify('x'.repeat(5_000_000))],
    ['one string of escapes', `"${'\\n'.repeat(1_000_000)}"`],
    ['one number of a million digits', '7'.repeat(1_000_000)],
    ['a list of 200,000 items', `[${'1,'.repeat(199_999)}1]`],
    ['an object of 200,000 members', `{${Array.from({ length: 200_000 }, (_, at) => `"${at}":${at}`).join(',')}}`],
  ])('%s', (_what, text) => {
    expect(problemOf(text)).toBeUndefined();
  });
});

describe('the sources of objects', () => {
  test('are the exact text of every object under the name, without what stands around it', () => {
    const text = '[{"payload" : { "n" : 1.00 ,\n"payload":{} }, "other":{}},{"payload":[{}]},{"payload":null}]';
    expect([...readJson(text, 'payload').sources.values()]).toEqual(['{}', '{ "n" : 1.00 ,\n"payload":{} }']);
  });

  test('belong to the object that was read from them', () => {
    const { value, sources } = readJson('{"payload":{"a":1},"x":{"payload":{"a":1.0}}}', 'payload');
    const payload = isJsonObject(value) ? value.get('payload') : undefined;
    expect(isJsonObject(payload) && sources.get(payload)).toBe('{"a":1}');
  });

  test('read to the same value again', () => {
    fc.assert(
      fc.property(jsonDocument, ({ text }) => {
        for (const [object, source] of readJson(`{"payload":${text}}`, 'payload').sources) {
          expect(readJson(source).value).toEqual(object);
        }
      }),
    );
  });

  test('are not kept unless they are asked for', () => {
    expect(readJson('{"payload":{}}').sources.size).toBe(0);
  });
});
