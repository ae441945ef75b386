import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { answeredCall, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { listen, type StreamEvent } from '@switchboard/testkit/event-stream.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import fastify from 'fastify';
import { sql } from 'kysely';
import { listFeedEntries } from '../../src/calling/streams/feed-store.ts';
import { createEventStreams } from '../../src/http/event-stream.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createRevocations } from '../../src/lib/revocations.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';

const database = await openTestDatabase();
after(() => database.close());
const [here, elsewhere] = [await startService({ database }), await startService({ database })];
after(async () => {
  await Promise.all([here.close(), elsewhere.close()]);
});

const urlOf = (service: Service, call_id: string) => `${service.url}/api/calls/${call_id}/events`;
const follow = (call_id: string, last?: number, service = here) =>
  listen(urlOf(service, call_id), { 'x-user-id': USER, ...(last !== undefined && { 'last-event-id': `${last}` }) });
const say = (room_name: string, content: string, service = here) =>
  service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: { content } });
const end = (call_id: string, service = here) => service.request('POST', `/api/calls/${call_id}/end`);
const ids = (events: StreamEvent[]) => events.map(({ id }) => id);
const labels = (events: StreamEvent[]) =>
  events.map(({ event, data }) => (event === 'call' ? data.call_status : data.content));

/** A service that counts its queries that have this text. */
async function startCounting(text: string) {
  let asked = 0;
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => {
      if (JSON.stringify(node).includes(text)) asked++;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { service: await startService({ database: { ...database, db } }), asked: () => asked };
}

test('the stream has the whole call: each change as in its callback, and each transcript as it is listed', async () => {
  const { call_id, room_name } = await answeredCall(here);
  const stream = await follow(call_id);
  assert.equal(stream.status, 200);
  assert.equal(stream.headers['content-type'], 'text/event-stream');
  assert.deepEqual([stream.headers['cache-control'], stream.headers['x-accel-buffering']], ['no-store', 'no']);
  await stream.until((events) => events.length === 2);
  const { body: said } = await say(room_name, 'first line\nsecond line');
  await stream.until((events) => events.length === 3);
  await end(call_id);
  await stream.ended;
  assert.deepEqual(ids(stream.events), [1, 2, 3, 4]);
  assert.deepEqual(labels(stream.events), ['RINGING', 'ANSWERED', 'first line\nsecond line', 'COMPLETED']);
  assert.deepEqual(stream.events[2]?.data, said);
  const { body: state } = await here.request('GET', `/api/calls/${call_id}/status`);
  const { at, ...last } = stream.events[3]?.data ?? {};
  assert.deepEqual(last, { ...state, direction: 'OUTBOUND', end_reason: 'ended_by_user', sip_status_code: null });
  assert.ok(at >= state.started_at);
  const { data: first } = stream.events[0] ?? assert.fail();
  assert.deepEqual([first.status, first.started_at, first.ended_at, first.end_reason], ['CREATED', null, null, null]);
  const { data: second } = stream.events[1] ?? assert.fail();
  assert.deepEqual([second.status, second.started_at, second.ended_at], ['ACTIVE', state.started_at, null]);
});

test('long texts are read for a listener a few at a time, and all of them arrive', async () => {
  const { call_id, room_name } = await answeredCall(here);
  const texts = Array.from({ length: 12 }, (_, index) => `${index} `.padEnd(60_000, '…'));
  for (const text of texts) assert.equal((await say(room_name, text)).status, 201);
  const page = { limit: 20, bytes: 300_000 };
  const [read] = await listFeedEntries(database.db, [{ session_id: call_id, after: 2 }], page);
  // A character has three bytes here.
  assert.deepEqual([read?.entries.length, read?.isFull], [2, true]);
  const [rest] = await listFeedEntries(database.db, [{ session_id: call_id, after: 12 }], page);
  assert.deepEqual([rest?.entries.length, rest?.isFull], [2, false]);
  const stream = await follow(call_id);
  await stream.until((events) => events.length === 14);
  await end(call_id);
  await stream.ended;
  assert.deepEqual(labels(stream.events), ['RINGING', 'ANSWERED', ...texts, 'COMPLETED']);
  assert.deepEqual(
    ids(stream.events),
    Array.from({ length: 15 }, (_, index) => index + 1),
  );
});

test('events of another replica arrive in order and once each, wherever the listener resumes', async () => {
  const { call_id, room_name } = await answeredCall(elsewhere);
  const stream = await follow(call_id);
  const contents = Array.from({ length: 60 }, (_, index) => `${index}`);
  await Promise.all(contents.map((content, index) => say(room_name, content, index % 2 === 0 ? here : elsewhere)));
  await end(call_id, elsewhere);
  await stream.ended;
  const all = stream.events;
  assert.deepEqual(
    ids(all),
    Array.from({ length: 63 }, (_, index) => index + 1),
  );
  assert.deepEqual([...labels(all)].sort(), ['RINGING', 'ANSWERED', 'COMPLETED', ...contents].sort());
  for (let cut = 0; cut < all.length; cut++) {
    const rest = await follow(call_id, cut, cut % 2 === 0 ? here : elsewhere);
    await rest.ended;
    assert.deepEqual(rest.events, all.slice(cut), `after ${cut}`);
  }
});

test('a listener that is disconnected during the call misses nothing and gets nothing twice', async () => {
  const { call_id, room_name } = await answeredCall(here);
  const contents = Array.from({ length: 40 }, (_, index) => `${index}`);
  const saying = (async () => {
    for (const content of contents) await say(room_name, content, elsewhere);
    await end(call_id);
  })();
  const heard: StreamEvent[] = [];
  for (let times = 0; heard.at(-1)?.data.status !== 'COMPLETED'; times++) {
    const stream = await follow(call_id, heard.at(-1)?.id ?? 0, times % 2 === 0 ? here : elsewhere);
    heard.push(...[...(await stream.until((events) => events.length > 0))].slice(0, 7));
    stream.leave();
  }
  await saying;
  assert.deepEqual(
    ids(heard),
    Array.from({ length: 43 }, (_, index) => index + 1),
  );
});

test('resuming at the end of an ended call is a 204, unless a late transcript has been added', async () => {
  const { call_id, room_name } = await placeCall(here, '+15005550001');
  await reaches(here, call_id, 'FAILED');
  const stream = await follow(call_id);
  await stream.ended;
  assert.equal(stream.events.at(-1)?.data.end_reason, 'busy');
  assert.equal((await follow(call_id, 2)).status, 204);
  await say(room_name, 'late');
  const late = await follow(call_id, 2, elsewhere);
  await late.ended;
  assert.deepEqual([labels(late.events), late.lastId()], [['late'], '3']);
  assert.equal((await follow(call_id, 3)).status, 204);
  await sql`delete from transcripts where session_id = ${call_id}::uuid`.execute(database.db);
  const deleted = await follow(call_id, 2);
  await deleted.ended;
  assert.deepEqual([deleted.events, deleted.lastId()], [[], '3']);
});

test('an unknown call, a session that is not a call, and another user’s call are not found; an invalid Last-Event-ID is refused', async () => {
  const { call_id } = await answeredCall(here);
  const path = `/api/calls/${call_id}/events`;
  const { body: session } = await here.request('POST', '/api/sessions/', { body: { user_id: USER } });
  for (const [id, user] of [
    ['unknown', USER],
    [session.id, USER],
    [call_id, 'other'],
  ])
    assertRefused(await here.request('GET', `/api/calls/${id}/events`, { user: user ?? '' }), 404, 'not_found');
  for (const [id, problem] of [
    ['x', 'string_pattern_mismatch'],
    ['-1', 'string_pattern_mismatch'],
    ['999', 'value_error'],
  ])
    assert.deepEqual(problemsOf(await here.request('GET', path, { headers: { 'last-event-id': id ?? '' } })), [
      `header.last-event-id ${problem}`,
    ]);
});

test('a silent stream is kept alive every 15 seconds', async () => {
  const clock = createTestClock();
  const service = await startService({ clock });
  const { call_id } = await answeredCall(service);
  const response = await fetch(urlOf(service, call_id), { signal: AbortSignal.timeout(50_000) });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const readUntil = async (end: RegExp) => {
    while (!end.test(text)) text += (await reader?.read())?.value ?? assert.fail('ended');
  };
  await readUntil(/id: 2\n[\s\S]*\n\n$/);
  assert.match(text, /^retry: \d+\n\n/);
  for (let times = 0; times < 2; times++) {
    text = '';
    clock.advance(15_000);
    await readUntil(/^:\n\n$/);
  }
  await service.close();
  assert.equal((await reader?.read())?.done, true);
});

test('a database outage ends no stream, and nothing is lost', async () => {
  const { call_id, room_name } = await answeredCall(here);
  const stream = await follow(call_id);
  await stream.until((events) => events.length === 2);
  await sql`alter table sessions rename to away`.execute(database.db);
  await eventually(
    async () => here.logged().some((line) => line.includes('polling for session events failed')),
    Boolean,
  );
  await sql`alter table away rename to sessions`.execute(database.db);
  await say(room_name, 'afterwards', elsewhere);
  await end(call_id);
  await stream.ended;
  assert.deepEqual(labels(stream.events), ['RINGING', 'ANSWERED', 'afterwards', 'COMPLETED']);
});

test('a listener that does not read causes no queries, delays no others, and gets everything once it reads', async () => {
  const { service, asked } = await startCounting('as entries');
  const { call_id, room_name } = await answeredCall(here);
  // 30 MB in all, in 50 pages: more than the buffers of two sockets hold.
  for (let times = 0; times < 150; times++) await say(room_name, '世'.repeat(65_536));
  const slow = await listen(urlOf(service, call_id), { paused: '1' });
  const quick = await follow(call_id);
  await quick.until((events) => events.length === 152);
  quick.leave();
  assert.ok(asked() < 35, `${asked()} pages were read`);
  await end(call_id);
  slow.read();
  await slow.ended;
  assert.deepEqual(
    ids(slow.events),
    Array.from({ length: 153 }, (_, index) => index + 1),
  );
  assert.ok(asked() >= 50);
  await service.close();
});

test('a closing server ends all streams at once, even unread ones, and their listeners resume elsewhere', async () => {
  const closing = await startService({ database });
  const { call_id, room_name } = await answeredCall(here);
  const stream = await follow(call_id, 0, closing);
  await stream.until((events) => events.length === 2);
  const unread = await listen(urlOf(closing, call_id), { paused: '1' });
  for (let times = 0; times < 150; times++) await say(room_name, 'x'.repeat(65_536), elsewhere);
  await closing.close();
  await stream.ended;
  unread.leave();
  const next = await follow(call_id, Number(stream.lastId()));
  await end(call_id);
  await next.ended;
  assert.deepEqual(
    [...ids(stream.events), ...ids(next.events)],
    Array.from({ length: 153 }, (_, index) => index + 1),
  );
});

test('there are no queries without listeners', async () => {
  const { service, asked: looks } = await startCounting('last_event, status, erased_at from sessions');
  const { call_id } = await answeredCall(service);
  assert.equal(looks(), 0);
  const [one, two] = [await follow(call_id, 0, service), await follow(call_id, 0, service)];
  await eventually(
    async () => looks(),
    (n) => n > 0,
  );
  one.leave();
  two.leave();
  let before = -1;
  await eventually(async () => {
    const still = before === looks();
    before = looks();
    await systemClock.sleep(300);
    return still;
  }, Boolean);
  await service.close();
});

test('the stream of an erased call ends, and nothing of it is sent again', async () => {
  const { call_id, room_name } = await answeredCall(here);
  await say(room_name, 'personal');
  const stream = await follow(call_id);
  await stream.until((events) => events.length === 3);
  await here.request('DELETE', `/api/users/${USER}`);
  await stream.ended;
  const again = await listen(urlOf(here, call_id));
  assert.equal(again.status, 204);
  assertRefused(await here.request('GET', `/api/calls/${call_id}/events`, { user: USER }), 404, 'not_found');
});

test('a client that leaves before its stream begins is not waited for', async () => {
  const server = fastify({ forceCloseConnections: true });
  const send = createEventStreams(server, createRevocations());
  const stream = Promise.withResolvers<AbortSignal>();
  server.get('/', async (_request, reply) => {
    client.destroy();
    await once(reply.raw, 'close');
    return send(reply, (signal) => {
      stream.resolve(signal);
      return Readable.from([]);
    });
  });
  const client = http.get(await server.listen(), { agent: false }).on('error', () => {});
  assert.ok((await stream.promise).aborted);
  await server.close();
});
