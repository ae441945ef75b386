import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { claim, complete, send, served, startChat } from '../support/chats.ts';
import { type Statement, watchStatements } from '../support/statements.ts';

/** How many commits these statements are: one a transaction, and one for each that writes outside of any. */
function commits(statements: Statement[]): number {
  let [inside, count] = [false, 0];
  for (const { sql: text } of statements) {
    if (/^(begin|start transaction)/i.test(text)) inside = true;
    else if (/^(commit|rollback)/i.test(text)) {
      if (/^commit/i.test(text)) count += 1;
      inside = false;
    } else if (!inside && /^\s*(insert|update|delete|with)\b/i.test(text)) count += 1;
  }
  return count;
}

/** Waits until the queued work that begins with the service is done: its statements are not those of a request. */
async function recurringWork(service: Service): Promise<void> {
  await eventually(
    () => service.request('GET', '/metrics'),
    ({ body }) => body.includes('kind="retention",outcome="done"'),
  );
}

test('a call takes at most two commits before its response, with an idempotency key and a callback too', async () => {
  const database = await openTestDatabase();
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  // Silent, and a phone that is not answered: what is sent to the database is sent before the answer.
  const media = { ...sandbox, createRoom: async () => {}, dial: () => new Promise<never>(() => {}) };
  const service = await startService({ database, media, env: { LOG_LEVEL: 'silent' } });
  const agent_id = await createAgent(service);
  await recurringWork(service);
  const sent = watchStatements(database);
  for (const headers of [{} as Record<string, string>, { 'idempotency-key': 'key-1' }]) {
    sent.length = 0;
    const body = { agent_id, phone_number: '+15005550100', callback_url: 'http://127.0.0.1:9/' };
    const { status } = await service.request('POST', '/api/calls/outbound', { user: USER, body, headers });
    assert.equal(status, 201);
    assert.ok(sent.some((statement) => /insert into "?sessions\b/.test(statement.sql)));
    // Not the looks for callbacks that are due, which are made all the time.
    const count = commits(sent.filter((statement) => !/recursive waiting/.test(statement.sql)));
    assert.ok(count >= 1 && count <= 2, `${count} commits`);
  }
});

test('concurrent calls each get their own response', async () => {
  const service = await startService();
  const [mine, idle, foreign] = [
    await createAgent(service),
    await createAgent(service, { is_active: false }),
    await createAgent(service, { user_id: 'other' }),
  ];
  const ask = (agent_id: string) =>
    service.request('POST', '/api/calls/outbound', { user: USER, body: { agent_id, phone_number: '+15005550100' } });
  const wanted = [mine, idle, foreign, crypto.randomUUID(), mine.toUpperCase()];
  const answers = await Promise.all([...wanted, ...wanted].map(ask));
  assert.deepEqual(
    answers.map(({ status, body }) => body.code ?? status),
    [201, 'agent_inactive', 'not_found', 'not_found', 201, 201, 'agent_inactive', 'not_found', 'not_found', 201],
  );
  const { items } = (await service.request('GET', '/api/calls/', { user: USER })).body;
  assert.equal(items.length, 4);
});

// The embedded database has one connection, and so nobody else who could hold anything.
if (process.env.TEST_DATABASE_URL)
  test('a locked session or agent delays no other', async () => {
    const service = await startService();
    const { db } = service.database;
    const [held, free] = [await createAgent(service), await createAgent(service)];
    const first = await placeCall(service, '+15005550100', { agent_id: held });
    await reaches(service, first.call_id, 'ANSWERED');
    const second = await placeCall(service, '+15005550100', { agent_id: free });
    await reaches(service, second.call_id, 'ANSWERED');
    let waiting: Promise<unknown>[] = [];
    await db.transaction().execute(async (trx) => {
      await sql`select id from sessions where id = ${first.call_id}::uuid for update`.execute(trx);
      await sql`select id from agents where id = ${held}::uuid for update`.execute(trx);
      const end = (id: string) => service.request('POST', `/api/calls/${id}/end`, { user: USER });
      const body = { agent_id: held, phone_number: '+15005550100' };
      waiting = [end(first.call_id), service.request('POST', '/api/calls/outbound', { user: USER, body })];
      assert.equal((await end(second.call_id)).body.call_status, 'COMPLETED');
      // At once, so that calls of both agents share a batch.
      const ask = (agent_id: string) =>
        service.request('POST', '/api/calls/outbound', { user: USER, body: { ...body, agent_id } });
      waiting.push(ask(held));
      for (const { status } of await Promise.all(Array.from({ length: 8 }, () => ask(free)))) assert.equal(status, 201);
      assert.equal((await service.request('GET', `/api/calls/${first.call_id}`)).body.call_status, 'ANSWERED');
    });
    const [ended, placed] = (await Promise.all(waiting)) as Awaited<ReturnType<typeof service.request>>[];
    assert.equal(ended?.body.call_status, 'COMPLETED');
    assert.equal(placed?.status, 201);
  });

if (process.env.TEST_DATABASE_URL)
  test('a locked session is left out of its batch, and the batch stays one', async () => {
    const database = await openTestDatabase();
    let batches = 0;
    const db = database.db.withPlugin({
      transformQuery: ({ node }) => {
        if (JSON.stringify(node).includes('for update')) batches++;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const service = await startService({ database: { ...database, db } });
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await answeredCall(service)).call_id));
    const end = async (id: string) =>
      (await service.app.server.inject({ method: 'POST', url: `/api/calls/${id}/end` })).json().call_status;
    const [held = '', ...free] = ids;
    let waiting: Promise<string> | undefined;
    await database.db.transaction().execute(async (trx) => {
      await sql`select id from sessions where id = ${held}::uuid for update`.execute(trx);
      batches = 0;
      waiting = end(held);
      assert.deepEqual(await Promise.all(free.map(end)), Array(7).fill('COMPLETED'));
      assert.ok(batches < 5, `${batches} batches`);
    });
    assert.equal(await waiting, 'COMPLETED');
  });

test('concurrent signals of one session are applied one after the other', async () => {
  const service = await startService();
  const { call_id } = await placeCall(service, '+15005550100');
  await reaches(service, call_id, 'ANSWERED');
  const ends = await Promise.all(
    Array.from({ length: 20 }, () => service.request('POST', `/api/calls/${call_id}/end`, { user: USER })),
  );
  assert.ok(ends.every(({ status, body }) => status === 200 && body.call_status === 'COMPLETED'));
  const { timeline } = (await service.request('GET', `/api/calls/${call_id}`)).body;
  assert.deepEqual(
    timeline.map((entry: { call_status: string }) => entry.call_status),
    ['RINGING', 'ANSWERED', 'COMPLETED'],
  );
});

test('an event delivered many times concurrently is stored and handled once', async () => {
  const service = await startService();
  const ids = ['EV_a', 'EV_b', 'EV_a', 'EV_c', 'EV_b', 'EV_a'];
  const answers = await Promise.all(
    ids.map((id) =>
      service.request('POST', '/api/media/webhook', {
        body: { event: 'room_started', id, room: { name: 'nobodys' } },
      }),
    ),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  const stored = () =>
    service.database.db.selectFrom('media_events').select(['id', 'body', 'handled_at']).orderBy('id').execute();
  const events = await eventually(stored, (rows) => rows.every(({ handled_at }) => handled_at !== null));
  assert.deepEqual(
    events.map(({ id, body }) => [id, body]),
    [
      ['EV_a', ''],
      ['EV_b', ''],
      ['EV_c', ''],
    ],
  );
  const metrics = String((await service.request('GET', '/metrics')).body);
  assert.match(metrics, /media_events\w*\{[^}]*event="room_started"[^}]*\} 3/);
});

test('a worker that answers a chat waits for an erasure of it, and the erasure not for the worker', async (t) => {
  const database = await openTestDatabase();
  t.after(database.close);
  const service = await served({}, database);
  const chat_id = await startChat(service);
  const sent = send(service, chat_id, 'When do you open?');
  const [task = {}] = await claim(service);
  let answered: ReturnType<typeof complete> | undefined;
  await database.db.transaction().execute(async (trx) => {
    await trx.selectFrom('sessions').select('id').where('id', '=', chat_id).forUpdate().execute();
    answered ??= complete(service, task, 'At ten.');
    const waiting = sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    // The embedded database has one connection, which this transaction has.
    if (process.env.TEST_DATABASE_URL)
      await eventually(
        async () => (await waiting.execute(trx)).rows[0]?.count,
        (count) => count === 1,
      );
    await trx.deleteFrom('work').where('key', '=', chat_id).execute();
  });
  assert.equal((await answered)?.body.code, 'lease_lost');
  assert.equal(database.conflicts().deadlock.repeated, 0);
  await service.request('POST', `/api/chats/${chat_id}/end`, { user: USER });
  assert.equal((await sent).body.code, 'turn_unanswered');
});
