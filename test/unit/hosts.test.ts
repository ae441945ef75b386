import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHosts } from '../../src/callbacks/hosts.ts';

const freeOf = (hosts: ReturnType<typeof createHosts>, host: string) => {
  const { first, hosts: known } = hosts.room();
  return known.find((one) => one.host === host)?.free ?? first;
};

test('a host that answers may have more under way, one that does not has one, until it answers again', () => {
  const hosts = createHosts();
  const first = freeOf(hosts, 'a');
  for (let index = 0; index < first; index++) hosts.begin('a');
  assert.equal(freeOf(hosts, 'a'), 0);
  assert.equal(freeOf(hosts, 'b'), first);
  hosts.end('a', true);
  assert.equal(freeOf(hosts, 'a'), first * 2 - (first - 1));
  for (let index = 1; index < first; index++) hosts.end('a', false);
  assert.equal(freeOf(hosts, 'a'), 1);
  hosts.begin('a');
  assert.equal(freeOf(hosts, 'a'), 0);
  hosts.end('a', true);
  assert.equal(freeOf(hosts, 'a'), 2);
});

test('all hosts together have a bound, and it is free again when they end', () => {
  const hosts = createHosts();
  const { limit } = hosts.room();
  let begun = 0;
  while (hosts.room().limit > 0) hosts.begin(`host-${begun++}`);
  assert.ok(begun > limit);
  for (let index = 0; index < begun; index++) hosts.end(`host-${index}`, false);
  assert.equal(hosts.room().limit, limit);
});

test('of the many hosts there are, the idle are forgotten, and no attempt that is under way', () => {
  const hosts = createHosts();
  hosts.begin('busy');
  for (let index = 0; index < 5_000; index++) {
    hosts.begin(`host-${index}`);
    hosts.end(`host-${index}`, false);
  }
  assert.ok(hosts.room().hosts.length < 5_000);
  assert.equal(freeOf(hosts, 'busy'), hosts.room().first - 1);
  assert.equal(freeOf(hosts, 'host-4999'), 1);
});
