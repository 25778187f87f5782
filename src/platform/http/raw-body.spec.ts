import { describe, expect, test } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { runInNewContext } from 'node:vm';
import { refusalOf } from '../../../test/support/refusal.js';
import { JsonNumber } from '../../domain/json/json.js';
import { bodyText, cloudEventMode, jsonText, parseJson, rawBody } from './raw-body.js';

/** As much of a request as the reading of a body looks at. */
function request(body: unknown, headers: Readonly<Record<string, string>> = {}): FastifyRequest {
  return { body, headers } as unknown as FastifyRequest;
}

const ofType = (contentType: string): FastifyRequest => request(Buffer.from('{}'), { 'content-type': contentType });

describe('the text of a body', () => {
  test('is what the bytes say, without a byte-order mark', () => {
    expect(jsonText(request(Buffer.from('{"a":"é😀"}')))).toBe('{"a":"é😀"}');
    expect(jsonText(request(Buffer.from('\uFEFF{}')))).toBe('{}');
    // Only the first one is a mark; a second one is content, and no JSON.
    expect(jsonText(request(Buffer.from('\uFEFF\uFEFF{}')))).toBe('\uFEFF{}');
  });

  test('is empty where there was no body', () => {
    expect(jsonText(request(undefined))).toBe('');
    expect(rawBody(request(undefined))).toHaveLength(0);
    expect(rawBody(request('text'))).toHaveLength(0);
  });

  test.each([
    ['a byte of Latin-1', [0x7b, 0xe9, 0x7d]],
    ['a sequence that is cut off', [0xe2, 0x82]],
    ['an overlong spelling', [0xc0, 0xaf]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a point beyond Unicode', [0xf5, 0x80, 0x80, 0x80]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
  ])('is refused when it holds %s: nothing is replaced in silence', (_what, bytes) => {
    expect(refusalOf(() => jsonText(request(Buffer.from(bytes))))).toEqual({ code: 'body.not_utf8' });
  });

  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; version=2',
    'application/vnd.shop.order+json',
    'application/problem+json; charset=utf-8',
    'text/json',
    '',
    '; charset=utf-8',
  ])('is read as %j', (contentType) => {
    expect(jsonText(ofType(contentType))).toBe('{}');
  });

  test.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-seq',
    'application/x-ndjson',
    'application/json, text/plain',
    'application/json; charset=iso-8859-1',
    'application/json; charset="UTF-16"',
    'application/json; a=b; charset=latin1',
    'application/cloudevents+json',
    'application/cloudevents-batch+json',
    'APPLICATION/CLOUDEVENTS+JSON',
    'junk',
  ])('is not read as %j', (contentType) => {
    expect(refusalOf(() => jsonText(ofType(contentType)))).toEqual({ code: 'body.media_type' });
  });

  test.each([
    ['content-encoding', 'gzip', 'body.media_type'],
    ['content-encoding', 'br', 'body.media_type'],
    ['content-encoding', 'Identity', undefined],
    ['ce-specversion', '1.0', 'body.media_type'],
  ])('with %s: %s', (name, value, code) => {
    const headers = { 'content-type': 'application/json', [name]: value };
    expect(refusalOf(() => jsonText(request(Buffer.from('{}'), headers)))?.code).toBe(code);
  });

  // A header has up to 16 kB; what is quadratic in it holds the only thread.
  test.each([
    ['an open charset', `application/json; charset=${' '.repeat(15_000)}"x`],
    ['blanks after the type', `application/json${' '.repeat(15_000)}x`],
    ['thousands of parameters', `application/json${'; a=b'.repeat(3_000)}`],
  ])('does not hold the thread: %s', (_what, contentType) => {
    const act = (): void => {
      for (let time = 0; time < 10; time++) refusalOf(() => jsonText(ofType(contentType)));
    };
    expect(() => runInNewContext('act()', { act }, { timeout: 3_000 }) as unknown).not.toThrow();
  });
});

describe('a request carries CloudEvents', () => {
  const binary = { 'ce-specversion': '1.0' };
  test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
    ['application/json', {}, undefined],
    ['application/json', { 'ce-id': '1' }, undefined],
    ['application/json', binary, 'binary'],
    ['application/vnd.shop.order+json', binary, 'binary'],
    ['application/cloudevents+json', {}, 'structured'],
    ['Application/CloudEvents+JSON; charset=utf-8', binary, 'structured'],
    ['application/cloudevents-batch+json', {}, 'batch'],
    ['application/vnd.cloudevents+json', {}, undefined],
  ])('%s with %j: %s', (contentType, headers, mode) => {
    const asked = request(Buffer.from('{}'), { 'content-type': contentType, ...headers });
    expect(cloudEventMode(asked)).toBe(mode);
    expect(bodyText(asked)).toBe('{}');
  });

  test.each(['application/cloudevents+xml', 'application/cloudevents-batch+avro', 'application/cloudevents'])(
    '%s, which is no JSON, is not read',
    (contentType) => {
      expect(refusalOf(() => bodyText(ofType(contentType)))).toEqual({ code: 'body.media_type' });
    },
  );
});

describe('the JSON of a body', () => {
  test.each([
    ['', 'body.not_json'],
    ['{', 'body.not_json'],
    ['{"a":1,"a":2}', 'body.duplicate_name'],
    ['"\\ud83d"', 'body.lone_surrogate'],
    ['['.repeat(65), 'body.too_deep'],
  ])('%j is refused with its own code', (text, code) => {
    expect(refusalOf(() => parseJson(text))).toEqual({ code });
  });

  test('says at which character it is wrong', () => {
    expect(() => parseJson('{"a":x}')).toThrow('A JSON value is expected at character 6.');
  });

  test('comes with the sources that were asked for', () => {
    const { value, sources } = parseJson('{"payload":{"n":1.00}}', 'payload');
    expect(value).toEqual(new Map([['payload', new Map([['n', new JsonNumber('1.00')]])]]));
    expect([...sources.values()]).toEqual(['{"n":1.00}']);
  });
});
