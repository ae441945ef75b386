import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { assertRefused } from '../support/answers.ts';

const database = await openTestDatabase();
const [first, second] = [await startService({ database }), await startService({ database })];
const { db } = database;

async function open(): Promise<{ id: string; room_name: string }> {
  return (await first.request('POST', '/api/sessions/', { body: { user_id: USER } })).body;
}

const say = (service: Service, room_name: string, content: string, headers: Record<string, string> = {}) =>
  service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: { content }, headers });

interface Post {
  id: string;
  room_name: string;
  content: string;
  by: Service;
  headers: Record<string, string>;
}

/** The numbers of all that happened in a session, in the order of what happened. */
async function numbers(id: string) {
  const { rows } = await sql<{ seq: number; what: string }>`
    select seq, status as what from session_events where session_id = ${id}::uuid union all
    select seq, content from transcripts where session_id = ${id}::uuid order by seq`.execute(db);
  const session = await db.selectFrom('sessions').select('last_event').where('id', '=', id).executeTakeFirstOrThrow();
  return { rows, last_event: session.last_event };
}

test('concurrent transcripts through several replicas are stored once each, answered with their own row, and numbered without gaps', async () => {
  const sessions = await Promise.all(Array.from({ length: 5 }, open));
  const calls = [await answeredCall(first), await answeredCall(second)].map((call) => ({ ...call, id: call.call_id }));
  const all = [...sessions, ...calls];
  const said = all.flatMap(({ id, room_name }) =>
    Array.from({ length: 30 }, (_, index) => ({ id, room_name, content: `${id} ${index}` })),
  );
  // From both ends, so that the two come to the sessions in opposite orders.
  const posts = [...said.entries()].flatMap(([index, one]): Post[] => [
    {
      ...one,
      by: first,
      content: `${one.content} first`,
      headers: index % 4 === 0 ? { 'idempotency-key': randomUUID() } : {},
    },
    { ...(said.at(-1 - index) ?? one), by: second, content: `${said.at(-1 - index)?.content} second`, headers: {} },
  ]);
  const answers = posts.map(async ({ by, id, room_name, content, headers }) => {
    const { status, body } = await say(by, room_name, content, headers);
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual([body.session_id, body.content], [id, content]);
    return body.id as string;
  });
  const ends = calls.map(({ call_id }, index) => [second, first][index]?.request('POST', `/api/calls/${call_id}/end`));
  const ids = await Promise.all(answers);
  for (const end of await Promise.all(ends)) assert.equal(end?.status, 200);
  assert.equal(new Set(ids).size, posts.length);
  for (const { id } of all) {
    const { rows, last_event } = await numbers(id);
    assert.deepEqual(
      rows.map(({ seq }) => seq),
      Array.from({ length: rows.length }, (_, index) => index + 1),
    );
    assert.equal(last_event, rows.length);
    const expected = posts.filter((one) => one.id === id).map(({ content }) => content);
    assert.deepEqual(
      rows
        .map(({ what }) => what)
        .filter((what) => what.startsWith(id))
        .sort(),
      expected.sort(),
    );
  }
});

test('of concurrent transcripts each gets its own error, and a repeated one its first response', async () => {
  const { id, room_name } = await open();
  const key = { 'idempotency-key': randomUUID() };
  const before = await say(first, room_name, 'once', key);
  const [known, unknown, again, another] = await Promise.all([
    say(first, room_name, 'heard'),
    say(first, 'no-such-room', 'lost'),
    say(first, room_name, 'once', key),
    say(first, room_name, 'twice', key),
  ]);
  assert.equal(known.status, 201);
  assertRefused(unknown, 404, 'not_found');
  assert.deepEqual([again.status, again.body], [201, before.body]);
  assert.ok([409, 422].includes(another.status), `${another.status}`);
  const { rows } = await numbers(id);
  assert.deepEqual(
    rows.map(({ what }) => what),
    ['ACTIVE', 'once', 'heard'],
  );
});

test('a transcript that the database refuses fails alone', async () => {
  const { id, room_name } = await open();
  await sql`alter table transcripts add constraint polite check (content <> 'rude')`.execute(db);
  const contents = ['a', 'b', 'rude', 'c'];
  const statuses = (await Promise.all(contents.map((content) => say(first, room_name, content)))).map(
    ({ status }) => status,
  );
  await sql`alter table transcripts drop constraint polite`.execute(db);
  assert.deepEqual(statuses, [201, 201, 500, 201]);
  const { rows, last_event } = await numbers(id);
  assert.deepEqual([rows.length, last_event], [4, 4]);
});

test('a room renamed while its transcript is queued is not found, with or without an idempotency key', async () => {
  const { id, room_name } = await open();
  // Looked up under its old name, written after the new one was committed: the lock of the rename holds it up in
  // between.
  const renamed = Promise.withResolvers<void>();
  const posts: Promise<{ status: number }>[] = [];
  await db.transaction().execute(async (trx) => {
    await sql`select 1 from sessions where id = ${id}::uuid for update`.execute(trx);
    if (database.kind === 'postgres')
      posts.push(say(first, room_name, 'late'), say(first, room_name, 'late', { 'idempotency-key': randomUUID() }));
    if (database.kind === 'postgres') await waitsForLock(trx);
    await sql`update sessions set room_name = 'erased-x' where id = ${id}::uuid`.execute(trx);
    renamed.resolve();
  });
  await renamed.promise;
  posts.push(say(first, room_name, 'later'));
  assert.deepEqual(new Set((await Promise.all(posts)).map(({ status }) => status)), new Set([404]));
  assert.equal((await numbers(id)).last_event, 1);
});

async function waitsForLock(
  trx: Parameters<Parameters<ReturnType<typeof db.transaction>['execute']>[0]>[0],
): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
      trx,
    );
    if ((rows[0]?.n ?? 0) > 0) return;
  }
}

test('transcripts queued when the service closes are written and acknowledged first', async () => {
  const closing = await startService({ database });
  const { id, room_name } = await open();
  const { posts, closed } = await db.transaction().execute(async (trx) => {
    await sql`select 1 from sessions where id = ${id}::uuid for update`.execute(trx);
    const arrived = once(closing.app.server.server, 'request');
    const posts = [say(closing, room_name, 'last words')];
    await arrived;
    return { posts, closed: closing.close() };
  });
  const [answer] = await Promise.all(posts);
  assert.equal(answer?.status, 201);
  await closed;
  const { rows } = await numbers(id);
  assert.deepEqual(
    rows.map(({ what }) => what),
    ['ACTIVE', 'last words'],
  );
});
