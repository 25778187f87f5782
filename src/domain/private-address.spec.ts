import { describe, expect, test } from '@jest/globals';
import { isPrivateAddress, isPrivateHost } from './private-address.js';

describe('an address of this machine or of a private network is known by itself', () => {
  test.each([
    '127.0.0.1',
    '127.255.0.9',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    '::',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::10.0.0.1',
    '2002:a00:1::',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ])('%s', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  test.each(['8.8.8.8', '172.32.0.1', '172.15.0.1', '192.169.0.1', '100.128.0.1', '223.255.255.255', '2001:db8::1'])(
    '%s is none',
    (address) => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  );

  test.each(['2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808', '1.2.3', '1.2.3.4.5', '256.0.0.1', 'erp', ''])(
    '%s is none either',
    (address) => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  );
});

test.each([
  ['localhost', true],
  ['LOCALHOST.', true],
  ['erp.localhost', true],
  ['localhost.example.com', false],
  ['[::1]', true],
  ['127.0.0.1', true],
  ['erp.example.com', false],
  // Other spellings of 127.0.0.1 as URL resolves them.
  [new URL('http://2130706433/').hostname, true],
  [new URL('http://0x7f.1/').hostname, true],
])('the host %s is private: %s', (host, expected) => {
  expect(isPrivateHost(host)).toBe(expected);
});
