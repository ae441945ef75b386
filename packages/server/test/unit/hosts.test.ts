import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lane } from '../../src/features/callbacks/due-store.ts';
import { createHosts } from '../../src/features/callbacks/hosts.ts';

type Hosts = ReturnType<typeof createHosts>;

const to = (host: string, user_id = 'alice'): Lane => ({ host, user_id });
const times = (count: number, work: () => void) => Array.from({ length: count }).forEach(work);

/** Deliveries that may start for this user at this host. */
function freeOf(hosts: Hosts, { host, user_id }: Lane): number {
  const { first, lanes, hosts: known } = hosts.room();
  const lane = lanes.find((one) => one.host === host && one.user_id === user_id)?.free ?? first.lane;
  return Math.min(lane, known.find((one) => one.host === host)?.free ?? first.host);
}

test('a host that answers a user gets more concurrent attempts, one that does not gets one until it answers again', () => {
  const hosts = createHosts();
  const first = freeOf(hosts, to('a'));
  times(first, () => hosts.begin(to('a')));
  assert.equal(freeOf(hosts, to('a')), 0);
  assert.equal(freeOf(hosts, to('b')), first);
  hosts.end(to('a'), true);
  assert.equal(freeOf(hosts, to('a')), first * 2 - (first - 1));
  times(first - 1, () => hosts.end(to('a'), false));
  assert.equal(freeOf(hosts, to('a')), 1);
  hosts.begin(to('a'));
  assert.equal(freeOf(hosts, to('a')), 0);
  hosts.end(to('a'), true);
  assert.equal(freeOf(hosts, to('a')), 2);
});

test('a user’s hanging receiver does not reduce the share of others on that host', () => {
  const hosts = createHosts();
  const first = freeOf(hosts, to('shared'));
  times(first, () => hosts.begin(to('shared', 'mallory')));
  assert.deepEqual([freeOf(hosts, to('shared', 'mallory')), freeOf(hosts, to('shared'))], [0, first]);
  times(first, () => hosts.end(to('shared', 'mallory'), false));
  hosts.begin(to('shared', 'mallory'));
  assert.deepEqual([freeOf(hosts, to('shared', 'mallory')), freeOf(hosts, to('shared'))], [0, first]);
});

test('all users of one host share a limit, lower while it does not answer, and never zero', () => {
  const hosts = createHosts();
  let users = 0;
  while (freeOf(hosts, to('shared', `user-${users}`)) > 0) hosts.begin(to('shared', `user-${users++}`));
  assert.ok(users > hosts.room().first.lane && users <= hosts.room().first.host, `${users} users`);
  assert.equal(freeOf(hosts, to('other')), hosts.room().first.lane);
  for (let index = 0; index < users; index++) hosts.end(to('shared', `user-${index}`), false);
  const while_dead = hosts.room().hosts.find(({ host }) => host === 'shared')?.free ?? 0;
  assert.ok(while_dead > 1 && while_dead < users, `${while_dead} of ${users}`);
});

test('one user has two thirds of the room for all hosts at most; several leave some for others', () => {
  const hosts = createHosts();
  const freeFor = (user: string) => {
    const { limit, users, first } = hosts.room();
    return Math.min(limit, users.find(({ user_id }) => user_id === user)?.free ?? first.user);
  };
  /** Begins what the user may, as often as it may; tells how many those were. */
  function fill(user: string): number {
    let begun = 0;
    for (let free = freeFor(user); free > 0; free = freeFor(user))
      times(free, () => hosts.begin(to(`host-${begun++}`, user)));
    return begun;
  }
  const [alone, second] = [fill('mallory'), fill('trudy')];
  assert.ok(alone >= 400 && alone <= 430, `${alone} for one`);
  assert.ok(second > 100 && freeFor('alice') > 30, `${second} for another, ${freeFor('alice')} are left`);
});

test('an attempt without a request does not change the state of the host', () => {
  const hosts = createHosts();
  const first = freeOf(hosts, to('a'));
  hosts.begin(to('a'));
  hosts.end(to('a'), null);
  assert.equal(freeOf(hosts, to('a')), first);
});

test('all hosts share a limit, which frees up as attempts end', () => {
  const hosts = createHosts();
  const { limit } = hosts.room();
  let begun = 0;
  while (hosts.room().limit > 0) hosts.begin(to(`host-${begun++}`));
  assert.ok(begun > limit);
  for (let index = 0; index < begun; index++) hosts.end(to(`host-${index}`), false);
  assert.equal(hosts.room().limit, limit);
});

test('idle lanes and hosts are removed, those with attempts under way are kept', () => {
  const hosts = createHosts();
  hosts.begin(to('busy'));
  for (let index = 0; index < 5_000; index++) {
    hosts.begin(to(`host-${index}`));
    hosts.end(to(`host-${index}`), false);
  }
  assert.ok(hosts.room().hosts.length < 5_000 && hosts.room().lanes.length < 5_000);
  assert.equal(freeOf(hosts, to('busy')), hosts.room().first.lane - 1);
  assert.equal(freeOf(hosts, to('host-4999')), 1);
});
