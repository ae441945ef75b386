import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { listen } from '@switchboard/testkit/event-stream.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { assertRefused } from '../support/answers.ts';
import { labels, startReplicas } from '../support/events.ts';
import { env } from '../support/principals.ts';

const replicas = await startReplicas();
after(replicas.close);
const { database, here, elsewhere, follow, say, end, use } = replicas;
const { db } = database;

/** A service that counts its queries that have this text. */
async function startCounting(text: string) {
  let asked = 0;
  const counting = db.withPlugin({
    transformQuery: ({ node }) => {
      if (JSON.stringify(node).includes(text)) asked++;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { service: await startService({ database: { ...database, db: counting } }), asked: () => asked };
}

test('listeners of one user have the costs of a call added up once for all of them, by its newest event', async () => {
  const { service, asked } = await startCounting('as total from usage_events');
  const { call_id } = await answeredCall(service);
  const streams = await Promise.all(
    Array.from({ length: 12 }, () => listen(`${service.url}/api/events?include=total_cost`, { 'x-user-id': USER })),
  );
  const totals = ({ events }: (typeof streams)[number]) =>
    events.filter(({ event }) => event === 'cost').map(({ data }) => data.call_total_cost);
  const all = (count: number) =>
    Promise.all(streams.map((stream) => stream.until(() => totals(stream).length === count)));
  await Promise.all(streams.map((stream) => stream.until(() => stream.lastId() !== '')));
  await use(call_id);
  await all(1);
  const before = asked();
  for (const count of [2, 3, 4]) {
    await use(call_id);
    await all(count);
  }
  for (const stream of streams) {
    assert.deepEqual(totals(stream), ['0.0015', '0.003', '0.0045', '0.006']);
    stream.leave();
  }
  // Those that ask while others are read are the next round: on a busy machine there are some.
  assert.ok(asked() - before < 2 * streams.length, `${asked() - before} sums for ${3 * streams.length} pages`);
  await end(call_id);
  await service.close();
});

test('a listener that does not read causes no queries, delays no others, and gets everything once it reads', async () => {
  const { service, asked } = await startCounting('select id, speaker, content from transcripts');
  const { call_id, room_name } = await answeredCall(service);
  const begin = (await follow(undefined, { service })).lastId();
  // 30 MB in all, in 8 slices: more than the buffers of two sockets hold.
  for (let times = 0; times < 150; times++) await say(room_name, '世'.repeat(65_536));
  const slow = await follow(begin, { service, headers: { paused: '1' } });
  const quick = await follow(begin);
  await quick.until((events) => events.length === 150);
  quick.leave();
  const before = asked();
  await end(call_id);
  slow.read();
  await slow.until((events) => events.some(({ data }) => data.call_status === 'COMPLETED'));
  assert.equal(slow.events.filter(({ event }) => event === 'transcript').length, 150);
  assert.ok(asked() >= before + 4, `${before} slices were read ahead, ${asked()} in all`);
  slow.leave();
  await service.close();
});

test('a silent stream sends a newer id every 15 seconds, and there are no queries without listeners', async () => {
  const clock = createTestClock();
  const { service, asked } = await startCounting('txid_current_snapshot');
  // Upkeep, which indexes what was said, asks for snapshots too.
  await service.app.reconcile();
  const started = asked();
  const timed = await startService({ database, clock });
  const stream = await follow(undefined, { service: timed });
  const begin = stream.lastId();
  await use('unknown', 'stranger');
  clock.advance(15_000);
  await eventually(
    async () => {
      clock.advance(200);
      return stream.lastId();
    },
    (id) => id !== begin,
  );
  assert.deepEqual(stream.events, []);
  stream.leave();
  await timed.close();
  assert.equal(asked(), started);
  await service.close();
});

test('an outage of the database ends no stream, and nothing is lost', async () => {
  const { call_id, room_name } = await answeredCall(here);
  const stream = await follow();
  await say(room_name, 'at first');
  await stream.until((events) => events.length === 1);
  await sql`alter table callback_attempts rename to away`.execute(db);
  await say(room_name, 'before');
  await eventually(async () => here.logged().some((line) => line.includes('polling for events failed')), Boolean);
  await sql`alter table away rename to callback_attempts`.execute(db);
  await say(room_name, 'afterwards', elsewhere);
  await stream.until((events) => events.length === 3);
  assert.deepEqual(labels(stream.events), ['at first', 'before', 'afterwards']);
  stream.leave();
  await end(call_id);
});

test('a closing server ends its streams at once, and their listeners resume elsewhere', async () => {
  const closing = await startService({ database });
  const { call_id, room_name } = await answeredCall(here);
  const stream = await follow(undefined, { service: closing });
  await say(room_name, 'one');
  await stream.until((events) => events.length === 1);
  await closing.close();
  await stream.ended;
  await say(room_name, 'two');
  const next = await follow(stream.lastId());
  await next.until((events) => events.length === 1);
  assert.deepEqual(labels(next.events), ['two']);
  next.leave();
  await end(call_id);
});

test('a token opens the stream of its user and nothing else, until its key is revoked', async () => {
  const service = await startService({ database, env });
  const keys = keysOf(database);
  const key = await keys.create({ name: 'page', role: 'user', user_id: USER });
  const bearer = { authorization: `Bearer ${key.key}` };
  const { call_id, room_name } = await answeredCall(here);
  const { status, body } = await service.request('POST', '/api/events/token', { headers: bearer });
  assert.equal(status, 201);
  const stream = await listen(`${service.url}${body.events_url}`);
  await stream.until(() => stream.lastId() !== '');
  await say(room_name, 'for the page');
  assert.deepEqual(labels(await stream.until((events) => events.length > 0)), ['for the page']);
  const one = await service.request('POST', `/api/calls/${call_id}/events/token`, { headers: bearer });
  for (const path of [
    `/api/calls/${call_id}/events?token=${body.token}`,
    `/api/calls?token=${body.token}`,
    `/api/events?token=${one.body.token}`,
  ])
    assertRefused(await service.request('GET', path), 401, 'unauthenticated');
  const wrong = await service.request('GET', `/api/events?token=${body.token}&user_id=other`);
  assertRefused(wrong, 403, 'wrong_user');
  stream.leave();
  await keys.revoke(key.id);
  assertRefused(await service.request('GET', body.events_url), 401, 'unauthenticated');
  await end(call_id);
  await service.close();
});

test('an erased user’s events are not sent again', async () => {
  const { room_name } = await answeredCall(here);
  const begin = (await follow(undefined, { user: null })).lastId();
  await say(room_name, 'personal');
  await here.request('DELETE', `/api/users/${USER}`);
  const stream = await follow(begin, { user: null });
  await use('afterwards', 'someone');
  await stream.until((events) => events.some(({ event, data }) => event === 'cost' && data.user_id === 'someone'));
  assert.ok(!JSON.stringify(stream.events).includes('personal'));
  assert.ok(!JSON.stringify(stream.events).includes(`"${USER}"`));
  stream.leave();
});

test('streams of calls and of users count together', async () => {
  const service = await startService({ database, env: { MAX_STREAMS_PER_USER: '2' } });
  const { call_id } = await answeredCall(service);
  const streams = [
    await follow(undefined, { service }),
    await listen(`${service.url}/api/calls/${call_id}/events`, { 'x-user-id': USER }),
  ];
  assertRefused(await service.request('GET', `/api/events?user_id=${USER}`), 429, 'too_many_streams');
  for (const stream of streams) stream.leave();
  await service.close();
});
