import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { answeredCall, placeCall, reaches, USER } from './support/calls.ts';
import { openTestDatabase, startService } from './support/service.ts';

const database = await openTestDatabase();
/** The queries of the service that look up sessions. */
let lookups = 0;
const db = database.db.withPlugin({
  transformQuery: ({ node }) => {
    if (JSON.stringify(node).includes('from sessions where')) lookups++;
    return node;
  },
  transformResult: async ({ result }) => result,
});
const service = await startService({ database: { ...database, db } });

const status = (call_id: string, user = USER) => service.request('GET', `/api/calls/${call_id}/status`, { user });

test('look-ups that come together are few queries, and each has its own answer', async () => {
  const calls = [await answeredCall(service), await placeCall(service, '+15005550001')];
  await reaches(service, calls[1]?.call_id ?? '', 'FAILED');
  const asked = Array.from({ length: 100 }, (_, index) => index);
  lookups = 0;
  // Past the network: that they arrive in the same moment is not left to chance.
  const get = async (url: string, user: string) =>
    (await service.app.server.inject({ url, headers: { 'x-user-id': user } })).json();
  const answers = await Promise.all(
    asked.map((index) => {
      const { call_id, room_name } = calls[index % 2] ?? assert.fail();
      if (index % 5 === 4) return get(`/api/sessions/by-room/${room_name}`, USER);
      const id = index % 5 === 2 ? '01980000-0000-7000-8000-000000000000' : call_id;
      return get(`/api/calls/${id}/status`, index % 5 === 3 ? 'somebody-else' : USER);
    }),
  );
  assert.ok(lookups < 10, `${lookups} queries`);
  for (const [index, body] of answers.entries()) {
    if (index % 5 === 2 || index % 5 === 3) assert.equal(body.code, 'not_found');
    else assert.equal(body.room_name, calls[index % 2]?.room_name);
  }
});

test('an id is found however it is written', async () => {
  const { call_id } = await answeredCall(service);
  assert.equal((await status(call_id.toUpperCase())).body.call_id, call_id);
});

test('a look-up sees what was answered before it was asked', async () => {
  const { call_id } = await answeredCall(service);
  let asking = true;
  const herd = Array.from({ length: 10 }, async () => {
    while (asking) await status(call_id);
  });
  const ended = await service.request('POST', `/api/calls/${call_id}/end`, { user: USER });
  const after = await Promise.all([status(call_id), status(call_id)]);
  asking = false;
  await Promise.all(herd);
  assert.deepEqual(
    [ended, ...after].map(({ body }) => body.status),
    ['COMPLETED', 'COMPLETED', 'COMPLETED'],
  );
});

test('a database that fails, fails all who wait for it, and serves those who come when it is back', async () => {
  const { call_id } = await answeredCall(service);
  await sql`alter table sessions rename to away`.execute(database.db);
  const answers = await Promise.all(Array.from({ length: 20 }, () => status(call_id)));
  await sql`alter table away rename to sessions`.execute(database.db);
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([500]));
  assert.equal((await status(call_id)).status, 200);
});
