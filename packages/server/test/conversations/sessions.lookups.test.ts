import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';

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

test('concurrent look-ups share few queries, and each gets its own result', async () => {
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

test('an id is found in any letter case', async () => {
  const { call_id } = await answeredCall(service);
  assert.equal((await status(call_id.toUpperCase())).body.call_id, call_id);
});

test('a look-up sees everything acknowledged before it was requested', async () => {
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

test('a database failure fails all waiting look-ups, and later ones succeed when it is back', async () => {
  const { call_id } = await answeredCall(service);
  await sql`alter table sessions rename to away`.execute(database.db);
  const answers = await Promise.all(Array.from({ length: 20 }, () => status(call_id)));
  await sql`alter table away rename to sessions`.execute(database.db);
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([500]));
  assert.equal((await status(call_id)).status, 200);
});
