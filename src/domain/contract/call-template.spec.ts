import { expect, test } from '@jest/globals';
import { holesOf, parseCallTemplate } from './call-template.js';

test.each([
  ['/customers/{external_id}', [{ kind: 'external_id' }]],
  ["/A('{internal_id}')?job={ticket}", [{ kind: 'internal_id' }, { kind: 'ticket' }]],
  ['{current.header/ETag}', [{ kind: 'current', place: { kind: 'header', source: 'header/ETag', name: 'etag' } }]],
  [
    'v{current/meta/version}',
    [
      {
        kind: 'current',
        place: {
          kind: 'item',
          source: '/meta/version',
          pointer: { source: '/meta/version', steps: ['meta', 'version'] },
        },
      },
    ],
  ],
  ['Key {secrets.api_key}', [{ kind: 'secret', name: 'api_key' }]],
  ['Bearer {token}', [{ kind: 'taken', name: 'token' }]],
  ['fixed', []],
])('%s has its holes', (source, holes) => {
  const template = parseCallTemplate(source);
  expect(template && holesOf(template)).toEqual(holes);
});

test.each(['{', 'a}', '{{internal_id}}', '{}', '{current}', '{current.body/x}', '{secrets}', '{secrets.a.b}', '{/id}'])(
  '%s is none',
  (source) => {
    expect(parseCallTemplate(source)).toBeUndefined();
  },
);
