import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from '../../src/http/addresses.ts';

test('limits by address count an IPv4 address, and the first 64 bits of an IPv6 address', () => {
  for (const [address, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['64:ff9b::c000:201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:0DB8:1:2::9', '2001:db8:1:2::'],
    ['2001:db8::', '2001:db8:0:0::'],
    ['fe80::1%eth0', 'fe80:0:0:0::'],
    ['::1', '0:0:0:0::'],
    // A proxy may write these in place of an address.
    ['unknown', 'unknown'],
    ['[2001:db8::1]:80', '[2001:db8::1]:80'],
    ['', ''],
  ] as const)
    assert.equal(networkOf(address), network, address);
});
