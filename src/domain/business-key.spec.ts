import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  alarmJobId,
  composeKey,
  createCallKey,
  deliveryWorkKey,
  guardKey,
  idempotencyKeyProblem,
  keyScope,
  updateCallKey,
  writerKey,
} from './business-key.js';
import { draws } from '../../test/support/draws.js';

/** Few and awkward characters, so that lists collide if anything can make them. */
const part = fc.string({
  unit: fc.constantFrom('a', ':', '%', '2', '5', '3', 'A', '%3A', '%25', '%3a', 'é', '😀', '：'),
  maxLength: 5,
});
const parts = fc.array(part, { minLength: 1, maxLength: 4 });

describe('composeKey', () => {
  test('no two lists of parts give one key', () => {
    const partsByKey = new Map<string, string>();
    fc.assert(
      fc.property(parts, (list) => {
        const key = composeKey(list);
        const spelt = JSON.stringify(list);
        const first = partsByKey.get(key) ?? spelt;
        partsByKey.set(key, first);
        return first === spelt;
      }),
      { numRuns: draws(100_000) },
    );
  });

  test('the parts can be read back out of the key, whatever stands in them', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (list) => {
        const readBack = composeKey(list)
          .split(':')
          .map((text) => text.replaceAll('%3A', ':').replaceAll('%25', '%'));
        expect(readBack).toEqual(list);
      }),
    );
  });

  test.each([
    [['customer', 'C-1'], 'customer:C-1'],
    [['a:b', 'c'], 'a%3Ab:c'],
    [['a', 'b:c'], 'a:b%3Ac'],
    [['100%', 'é😀'], '100%25:é😀'],
    [['a%3Ab'], 'a%253Ab'],
  ])('%j becomes %j', (list, key) => {
    expect(composeKey(list)).toBe(key);
  });
});

describe('an idempotency key', () => {
  test.each([
    ['what senders make of their own ids', 'PAY-20240315-0042:PAID'],
    ['one character', 'a'],
    ['text with inner blanks', 'with inner blanks'],
    ['text with marks', '100% "quoted"'],
    ['letters of all kinds', 'é😀'],
    ['2048 bytes', 'x'.repeat(2048)],
    ['1024 characters of two bytes', 'é'.repeat(1024)],
  ])('may be %s', (_what, key) => {
    expect(idempotencyKeyProblem(key)).toBeUndefined();
  });

  test.each([
    ['nothing', '', 'is empty'],
    ['more than 2048 bytes', 'x'.repeat(2049), 'has more than 2048 bytes'],
    ['2048 characters of two bytes', 'é'.repeat(2048), 'has more than 2048 bytes'],
    ['NUL', 'a\u0000b', 'contains a control character'],
    ['a line break', 'a\nb', 'contains a control character'],
    ['a control character of the upper half', 'a\u0085b', 'contains a control character'],
    ['DEL', 'a\u007Fb', 'contains a control character'],
    ['a blank before', ' a', 'begins or ends with a blank'],
    ['a blank after', 'a ', 'begins or ends with a blank'],
    ['a no-break space', '\u00A0a', 'begins or ends with a blank'],
    ['a byte-order mark', '\uFEFFa', 'begins or ends with a blank'],
    ['letters and accents apart', 'Cafe\u0301', 'is not in Unicode normal form C'],
  ])('is refused when it is %s', (_what, key, problem) => {
    expect(idempotencyKeyProblem(key)).toBe(problem);
  });

  test('that is accepted is one text for everybody: trimmed, composed and printable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (key) => {
        fc.pre(idempotencyKeyProblem(key) === undefined);
        expect([key.trim(), key.normalize('NFC')]).toEqual([key, key]);
        expect(key).toMatch(/^\P{Cc}+$/u);
      }),
    );
  });
});

describe('the room of a key', () => {
  test.each([
    ['a source for itself', 'crm', [], 'crm:payment.completed'],
    ['a source that does not share', 'erp', ['gateway', 'crm'], 'erp:payment.completed'],
    ['the first of two that share', 'crm', ['gateway', 'crm'], 'crm+gateway:payment.completed'],
    ['the other of two that share', 'gateway', ['crm', 'gateway'], 'crm+gateway:payment.completed'],
  ] as const)('%s', (_what, source, shared, scope) => {
    expect(keyScope(source, 'payment.completed', shared)).toBe(scope);
  });

  test('differs by event type and by source', () => {
    const rooms = [
      keyScope('crm', 'a', []),
      keyScope('crm', 'b', []),
      keyScope('erp', 'a', []),
      keyScope('crm', 'a', ['crm', 'erp']),
    ];
    expect(new Set(rooms).size).toBe(rooms.length);
  });
});

describe('the key of a call', () => {
  test('is the same for every attempt of one create, whatever the revision', () => {
    expect(createCallKey('erp', 'e1')).toBe(createCallKey('erp', 'e1'));
  });

  test('differs by target, entity, verb and revision', () => {
    const keys = [
      createCallKey('erp', 'e1'),
      createCallKey('wms', 'e1'),
      createCallKey('erp', 'e2'),
      updateCallKey('erp', 'e1', 1n),
      updateCallKey('erp', 'e1', 2n),
      updateCallKey('wms', 'e1', 1n),
      deliveryWorkKey('erp', 'e1'),
      deliveryWorkKey('wms', 'e1'),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('the id of an alarm', () => {
  test('is one that the queue takes, whatever the work is called: no colon, not only digits, bounded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (workKey, wake) => {
        const id = alarmJobId(workKey, wake);
        expect(id).toMatch(/^[\w-]{1,64}$/);
        expect(String(Number.parseInt(id, 10))).not.toBe(id);
      }),
    );
    expect(alarmJobId('42', 7n)).toMatch(/\D/);
  });

  test('is another for each waking, so that a known id never swallows the next one', () => {
    const keys = fc.tuple(part, fc.bigInt({ min: 0n, max: 300n }));
    fc.assert(
      fc.property(keys, keys, ([a, wakeA], [b, wakeB]) => {
        expect(alarmJobId(a, wakeA) === alarmJobId(b, wakeB)).toBe(a === b && wakeA === wakeB);
      }),
      { numRuns: draws(2_000) },
    );
    expect(alarmJobId('a:1', 1n)).not.toBe(alarmJobId('a', 11n));
  });
});

describe('the guard', () => {
  test('has a key of its own for each installation, history, scope and idempotency key', () => {
    expect(guardKey('p', 'e', 'a:b', 'c')).not.toBe(guardKey('p', 'e', 'a', 'b:c'));
    const four = fc.tuple(part, part, part, part);
    fc.assert(
      fc.property(four, four, (a, b) => {
        expect(guardKey(...a) === guardKey(...b)).toBe(a.every((text, at) => text === b[at]));
      }),
      { numRuns: draws(2_000) },
    );
  });
});

describe('who wrote a field', () => {
  test('is told apart by key and then by event type', () => {
    expect(writerKey('k', 'a') < writerKey('k', 'b')).toBe(true);
    expect(writerKey('k', 'z') < writerKey('ka', 'a')).toBe(true);
  });

  test('stays short however long the key is, and stays another one', () => {
    const keys = ['x', 'y'].map((end) => writerKey(`${'k'.repeat(2_000)}${end}`, 'customer.updated'));
    expect(new Set(keys).size).toBe(2);
    expect(Math.max(...keys.map(({ length }) => length))).toBeLessThan(100);
    // Half a pair of surrogates could not be read back.
    expect(writerKey(`${'k'.repeat(39)}${'😀'.repeat(200)}`, 'a').isWellFormed()).toBe(true);
  });
});
