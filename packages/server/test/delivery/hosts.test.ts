import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHosts, MAX_DELIVERY_BYTES } from '../../src/delivery/callbacks/hosts.ts';
import type { Lane } from '../../src/delivery/callbacks/queue-store.ts';

type Hosts = ReturnType<typeof createHosts>;

const to = (host: string, user_id = 'alice'): Lane => ({ host, user_id });
const times = (count: number, work: () => void) => Array.from({ length: count }).forEach(work);

/** Deliveries that may start for this user at this host. */
function freeOf(hosts: Hosts, { host, user_id }: Lane): number {
  const { first, lanes, hosts: known } = hosts.capacity();
  const lane = lanes.find((one) => one.host === host && one.user_id === user_id)?.free ?? first.lane;
  return Math.min(lane, known.find((one) => one.host === host)?.free ?? first.host);
}

test('a host that answers a user gets more concurrent attempts, one that does not gets one until it answers again', () => {
  const hosts = createHosts();
  const first = freeOf(hosts, to('a'));
  times(first, () => hosts.begin(to('a'), 0));
  assert.equal(freeOf(hosts, to('a')), 0);
  assert.equal(freeOf(hosts, to('b')), first);
  hosts.end(to('a'), 0, true);
  assert.equal(freeOf(hosts, to('a')), first * 2 - (first - 1));
  times(first - 1, () => hosts.end(to('a'), 0, false));
  assert.equal(freeOf(hosts, to('a')), 1);
  hosts.begin(to('a'), 0);
  assert.equal(freeOf(hosts, to('a')), 0);
  hosts.end(to('a'), 0, true);
  assert.equal(freeOf(hosts, to('a')), 2);
});

test('a user’s hanging receiver does not reduce the share of others on that host', () => {
  const hosts = createHosts();
  const first = freeOf(hosts, to('shared'));
  times(first, () => hosts.begin(to('shared', 'mallory'), 0));
  assert.deepEqual([freeOf(hosts, to('shared', 'mallory')), freeOf(hosts, to('shared'))], [0, first]);
  times(first, () => hosts.end(to('shared', 'mallory'), 0, false));
  hosts.begin(to('shared', 'mallory'), 0);
  assert.deepEqual([freeOf(hosts, to('shared', 'mallory')), freeOf(hosts, to('shared'))], [0, first]);
});

test('all users of one host share a limit, lower while it does not answer, and never zero', () => {
  const hosts = createHosts();
  let users = 0;
  while (freeOf(hosts, to('shared', `user-${users}`)) > 0) hosts.begin(to('shared', `user-${users++}`), 0);
  assert.ok(users > hosts.capacity().first.lane && users <= hosts.capacity().first.host, `${users} users`);
  assert.equal(freeOf(hosts, to('other')), hosts.capacity().first.lane);
  for (let index = 0; index < users; index++) hosts.end(to('shared', `user-${index}`), 0, false);
  const while_dead = hosts.capacity().hosts.find(({ host }) => host === 'shared')?.free ?? 0;
  assert.ok(while_dead > 1 && while_dead < users, `${while_dead} of ${users}`);
});

test('one user has two thirds of the room for all hosts at most; several leave some for others', () => {
  const hosts = createHosts();
  const freeFor = (user: string) => {
    const { all, users, first } = hosts.capacity();
    return Math.min(all.free, (users.find(({ user_id }) => user_id === user) ?? first.user).free);
  };
  /** Begins what the user may, as often as it may; tells how many those were. */
  function fill(user: string): number {
    let begun = 0;
    for (let free = freeFor(user); free > 0; free = freeFor(user))
      times(free, () => hosts.begin(to(`host-${begun++}`, user), 0));
    return begun;
  }
  const [alone, second] = [fill('mallory'), fill('trudy')];
  assert.ok(alone >= 400 && alone <= 430, `${alone} for one`);
  assert.ok(second > 100 && freeFor('alice') > 30, `${second} for another, ${freeFor('alice')} are left`);
});

test('large bodies take the room that all have, and a user’s share of it, by their bytes', () => {
  const hosts = createHosts();
  const size = MAX_DELIVERY_BYTES / 4;
  const bytesOf = (user: string) => hosts.capacity().users.find(({ user_id }) => user_id === user)?.bytes;
  for (const host of ['a', 'b', 'c']) hosts.begin(to(host, 'mallory'), size);
  assert.deepEqual([bytesOf('mallory'), hosts.capacity().all.bytes], [0, size]);
  assert.ok(hosts.capacity().first.user.bytes > 0 && hosts.capacity().all.free > 0);
  hosts.begin(to('d'), size);
  assert.equal(hosts.capacity().all.free, 0);
  for (const host of ['a', 'b', 'c']) hosts.end(to(host, 'mallory'), size, false);
  assert.equal(hosts.capacity().all.bytes, 3 * size);
});

test('an attempt without a request does not change the state of the host', () => {
  const hosts = createHosts();
  const first = freeOf(hosts, to('a'));
  hosts.begin(to('a'), 0);
  hosts.end(to('a'), 0, null);
  assert.equal(freeOf(hosts, to('a')), first);
});

test('all hosts share a limit, which frees up as attempts end', () => {
  const hosts = createHosts();
  const { free } = hosts.capacity().all;
  let begun = 0;
  while (hosts.capacity().all.free > 0) hosts.begin(to(`host-${begun++}`), 0);
  assert.ok(begun > free);
  for (let index = 0; index < begun; index++) hosts.end(to(`host-${index}`), 0, false);
  assert.equal(hosts.capacity().all.free, free);
});

test('idle lanes and hosts are removed, those with attempts under way are kept', () => {
  const hosts = createHosts();
  hosts.begin(to('busy'), 0);
  for (let index = 0; index < 5_000; index++) {
    hosts.begin(to(`host-${index}`), 0);
    hosts.end(to(`host-${index}`), 0, false);
  }
  assert.ok(hosts.capacity().hosts.length < 5_000 && hosts.capacity().lanes.length < 5_000);
  assert.equal(freeOf(hosts, to('busy')), hosts.capacity().first.lane - 1);
  assert.equal(freeOf(hosts, to('host-4999')), 1);
});
