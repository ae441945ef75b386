import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { createQuotas } from '../../src/access/quotas/quotas.ts';
import { addRow, addUpChanges, findMissing, recordCounted } from '../../src/access/quotas/store.ts';
import { assertRefused } from '../support/answers.ts';

const AUTH = { AUTH_MODE: 'required', RATE_LIMIT_USER: '1000000' };
const NO_LIMITS = { stored: null, written: null };
/** Nobody is told of thresholds. */
const NOBODY = {
  work: { add: async () => {}, withdraw: async () => false },
  callbacks: { holdEndpoints: async () => {}, enqueueQuotaThreshold: async () => {} },
};
/** Longer than a process remembers what is stored. */
const FORGOTTEN_MS = 1_100;

type Asked = Pick<Service, 'request'>;

/** A service with a quota, and the ways to ask it as a user, as another one, and as a service and a worker. */
async function startWithQuota(env: Record<string, string>) {
  const service = await startService({ env: { ...AUTH, ...env } });
  const keys = keysOf(service.database);
  const as = async (role: 'user' | 'service' | 'worker', user_id: string | null = null): Promise<Asked> => {
    const { key } = await keys.create({ name: role, role, user_id });
    return {
      request: (method, path, { headers, ...options } = {}) =>
        service.request(method, path, { ...options, headers: { ...headers, authorization: `Bearer ${key}` } }),
    };
  };
  const [user, other, backend, worker] = [
    await as('user', USER),
    await as('user', 'other'),
    await as('service'),
    await as('worker'),
  ];
  return { service, user, other, backend, worker };
}

const open = (of: Asked, bytes: number, user_id = USER) =>
  of.request('POST', '/api/sessions/', { body: { user_id, session_data: { text: 'x'.repeat(bytes) } } });
const quotaOf = async (of: Asked, user = USER) => (await of.request('GET', `/api/quotas/${user}`)).body;
/** Exactly what the tables hold of a user. */
async function stored({ database: { db } }: Pick<Service, 'database'>, user = USER): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes from stored_content where user_id = ${user}`.execute(db);
  return rows[0]?.bytes ?? 0;
}
const forgotten = () => new Promise((resolve) => setTimeout(resolve, FORGOTTEN_MS));

test('a hostile key fills its own quota and nothing beyond it; others, its reports and its deletions go on', async () => {
  const limit = 400_000;
  const { service, user, other, backend, worker } = await startWithQuota({ STORED_BYTES_PER_USER: String(limit) });
  const agent_id = (await user.request('POST', '/api/agents/', { body: { user_id: USER, name: 'Desk' } })).body.id;
  const first = await open(user, 10);
  const flood = await Promise.all(Array.from({ length: 40 }, () => open(user, 40_000)));
  const refused = flood.filter(({ status }) => status !== 201);
  assert.ok(refused.length > 25, `${refused.length} of 40 were refused`);
  for (const answer of refused) assertRefused(answer, 403, 'quota_exceeded');
  assert.ok((await stored(service)) <= limit, `${await stored(service)} bytes are stored`);
  await forgotten();
  const grown = await user.request('PATCH', `/api/agents/${agent_id}`, { body: { description: 'x'.repeat(40_000) } });
  assertRefused(grown, 403, 'quota_exceeded');
  assert.equal((await open(other, 40_000, 'other')).status, 201);
  assert.equal((await open(backend, 40_000)).status, 201);
  const said = { body: { content: 'x'.repeat(20_000) } };
  const path = `/api/sessions/by-room/${first.body.room_name}/transcripts`;
  assert.equal((await worker.request('POST', path, said)).status, 201, 'the report of a worker');
  await forgotten();
  assertRefused(await user.request('POST', path, said), 403, 'quota_exceeded');
  assert.equal((await user.request('DELETE', `/api/agents/${agent_id}`)).status, 204);
  const shown = await quotaOf(user);
  assert.deepEqual([shown.stored_bytes, shown.stored_bytes_limit], [await stored(service), limit]);
  assertRefused(await other.request('GET', `/api/quotas/${USER}`), 404, 'not_found');
});

test('over several replicas a hostile key exceeds its quota by no more than they let pass in a second', async () => {
  const [limit, size] = [400_000, 40_000];
  const { service, user } = await startWithQuota({ STORED_BYTES_PER_USER: String(limit) });
  const env = { ...AUTH, STORED_BYTES_PER_USER: String(limit) };
  const other = await startService({ database: service.database, env });
  const { key } = await keysOf(service.database).create({ name: 'user', role: 'user', user_id: USER });
  const elsewhere: Asked = {
    request: (method, path, options = {}) =>
      other.request(method, path, { ...options, headers: { authorization: `Bearer ${key}` } }),
  };
  // Each lets pass at most what the quota leaves, as neither knows yet of the other.
  await Promise.all([user, elsewhere].flatMap((each) => Array.from({ length: 20 }, () => open(each, size))));
  const filled = await stored(service);
  assert.ok(filled > limit - 2 * size && filled <= 2 * limit, `${filled} bytes are stored`);
  await forgotten();
  for (const either of [user, elsewhere]) assertRefused(await open(either, size), 403, 'quota_exceeded');
  assert.equal(await stored(service), filled);
});

test('a request that was answered under its Idempotency-Key is answered again when the quota is full', async () => {
  const { user } = await startWithQuota({ STORED_BYTES_PER_USER: '60000' });
  const { room_name } = (await open(user, 10)).body;
  const path = `/api/sessions/by-room/${room_name}/transcripts`;
  const say = () =>
    user.request('POST', path, { body: { content: 'hello' }, headers: { 'idempotency-key': 'hello-1' } });
  const said = await say();
  assert.equal(said.status, 201);
  assert.equal((await open(user, 30_000)).status, 201);
  assertRefused(await open(user, 30_000), 403, 'quota_exceeded');
  await user.request('POST', path, { body: { content: 'x'.repeat(20_000) } });
  await forgotten();
  assertRefused(await user.request('POST', path, { body: { content: 'x'.repeat(20_000) } }), 403, 'quota_exceeded');
  assert.deepEqual((await say()).body, said.body);
});

test('a user writes so many bytes a minute with its own keys, counting small changes of large data', async () => {
  const limit = 3_000_000;
  const { service, user, backend } = await startWithQuota({ WRITTEN_BYTES_PER_USER: String(limit) });
  const { id } = (await open(user, 200_000)).body;
  const change = (of: Asked, n: number) =>
    of.request('PATCH', `/api/sessions/${id}`, { body: { metadata: { [`n${n % 3}`]: n } } });
  let refused: Awaited<ReturnType<typeof change>> | undefined;
  for (let n = 0; n < 2_000 && !refused; n++) {
    const answer = await change(user, n);
    if (answer.status !== 200) refused = answer;
  }
  assert.ok(refused, '400 MB are never written');
  assertRefused(refused, 429, 'too_many_requests');
  const wait = Number(refused.headers.get('retry-after'));
  assert.ok(wait >= 1 && wait <= 60, `${wait} s`);
  assert.equal((await change(backend, 1)).status, 200, 'a key of role service');
  const { db } = service.database;
  // The next minute, without waiting for it.
  await db.updateTable('storage_changes').set({ at: sql<Date>`at - interval '1 minute'` }).execute();
  await forgotten();
  assert.equal((await change(user, 3)).status, 200);
});

test('changes, retention and deletion are counted to the byte, also once the changes were added up', async () => {
  const service = await startService({ env: { TRANSCRIPT_RETENTION_DAYS: '30' } });
  const { db } = service.database;
  const exact = async (what: string) =>
    assert.equal((await quotaOf(service)).stored_bytes, await stored(service), what);
  const agent_id = await createAgent(service, { config: { prompt: 'x'.repeat(5_000) } });
  const { call_id, room_name } = await answeredCall(service, { agent_id, callback_url: 'https://example.com/hook' });
  for (const content of ['one', 'two'.repeat(500)])
    await service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: { content } });
  await service.request('PATCH', `/api/sessions/${call_id}`, { body: { metadata: { a: 'b'.repeat(3_000) } } });
  await service.request('PATCH', `/api/agents/${agent_id}`, { body: { config: { prompt: 'short' } } });
  await service.request('POST', `/api/calls/${call_id}/end`);
  await exact('after a call');
  assert.ok((await stored(service)) > 5_000);
  await db.deleteFrom('callbacks').where('session_id', '=', call_id).execute();
  await sql`delete from transcripts where content = 'one'`.execute(db);
  await exact('after deletions');
  await db.updateTable('storage_changes').set({ at: sql<Date>`at - interval '1 minute'` }).execute();
  await service.app.reconcile();
  const left = () =>
    db.selectFrom('storage_changes').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  await eventually(left, ({ count }) => Number(count) === 0);
  await exact('after the round');
  await service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: { content: 'more' } });
  await exact('and later');
});

test('after an upgrade everything that was stored before is counted, and what is written meanwhile too', async () => {
  const database = await openTestDatabase();
  const service = await startService({ database });
  const { db } = database;
  for (const user_id of ['a', 'b', 'c']) await open(service, 1_000, user_id);
  await createAgent(service, { user_id: 'd' });
  // As a release without the counting has left it.
  await db.deleteFrom('storage_changes').execute();
  await db.deleteFrom('stored_bytes').execute();
  await db.updateTable('stored_bytes_progress').set({ after_user: '' }).execute();
  await open(service, 500, 'b');
  const quotas = createQuotas({ db, limits: NO_LIMITS, ...NOBODY });
  await Promise.all([quotas.round(), quotas.round(), open(service, 700, 'c')]);
  await quotas.round();
  for (const user_id of ['a', 'b', 'c', 'd'])
    assert.equal((await quotas.get(user_id, null)).stored_bytes, await stored(service, user_id), user_id);
  const progress = await db.selectFrom('stored_bytes_progress').select('after_user').executeTakeFirstOrThrow();
  assert.equal(progress.after_user, null);
});

test('a user is counted in as many statements as it takes, whatever is written and added up meanwhile', async () => {
  const service = await startService();
  const { db } = service.database;
  for (let call = 0; call < 3; call++) await open(service, 1_000 + call, 'many');
  await db.deleteFrom('storage_changes').execute();
  await addRow(db, 'many');
  const missing = await Promise.all(
    [1, 2, 20_000].map((rows) => {
      const transaction = db.transaction().setIsolationLevel('repeatable read');
      return transaction.execute((trx) => findMissing(trx, 'many', rows));
    }),
  );
  assert.deepEqual(new Set(missing), new Set([await stored(service, 'many')]));
  await db.updateTable('stored_bytes_progress').set({ after_user: 'a' }).execute();
  const next = { after_user: 'a', user_id: 'many' };
  await open(service, 500, 'many');
  await db.updateTable('storage_changes').set({ at: sql<Date>`at - interval '1 minute'` }).execute();
  await addUpChanges(db, null);
  await open(service, 700, 'many');
  // Another process has counted the same.
  for (const _ of [1, 2]) await recordCounted(db, next, missing[0] ?? 0);
  assert.equal((await quotaOf(service, 'many')).stored_bytes, await stored(service, 'many'));
});

test('an erasure leaves no count under the user’s id', async () => {
  const service = await startService();
  const { call_id } = await answeredCall(service);
  await service.request('POST', `/api/calls/${call_id}/end`);
  await service.request('POST', '/api/webhook-endpoints', { user: USER, body: { url: 'https://example.com/hooks' } });
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
  await service.app.reconcile();
  const { db } = service.database;
  for (const table of ['storage_changes', 'stored_bytes'] as const)
    assert.deepEqual(await db.selectFrom(table).selectAll().where('user_id', '=', USER).execute(), [], table);
  assert.equal((await quotaOf(service)).stored_bytes, 0);
});

/** Operations that users may call and that change something, but add nothing that stays. */
const ALWAYS = [
  'DELETE /api/agents/{agent_id}',
  'DELETE /api/calls/{call_id}/recordings/{recording_id}',
  'DELETE /api/campaigns/{campaign_id}',
  'DELETE /api/console/session',
  'DELETE /api/console/sessions',
  'DELETE /api/extractors/{extractor_id}',
  'DELETE /api/scenarios/{scenario_id}',
  'DELETE /api/scenarios/{scenario_id}/cassette',
  'DELETE /api/suites/{suite_id}',
  'DELETE /api/suppressions/{suppression_id}',
  'DELETE /api/webhook-endpoints/{endpoint_id}',
  'PATCH /api/scheduled-calls/{scheduled_call_id}',
  'PATCH /api/webhook-endpoints/{endpoint_id}',
  'POST /api/agents/{agent_id}/functions/check',
  'POST /api/analyses/backfills/{backfill_id}/cancel',
  'POST /api/calls/{call_id}/dtmf',
  'POST /api/calls/{call_id}/end',
  'POST /api/calls/{call_id}/events/token',
  'POST /api/calls/{call_id}/instructions',
  'POST /api/calls/{call_id}/listen',
  'POST /api/calls/{call_id}/outcome',
  'POST /api/calls/{call_id}/recordings/{recording_id}/link',
  'POST /api/calls/{call_id}/say',
  'POST /api/calls/{call_id}/scenario',
  'POST /api/calls/{call_id}/take-over',
  'POST /api/campaigns/{campaign_id}/cancel',
  'POST /api/campaigns/{campaign_id}/pause',
  'POST /api/campaigns/{campaign_id}/preview',
  'POST /api/campaigns/{campaign_id}/resume',
  'POST /api/campaigns/{campaign_id}/start',
  'POST /api/chats/{chat_id}/end',
  'POST /api/chats/{chat_id}/rewind',
  'POST /api/consents/{consent_id}/revoke',
  'POST /api/dial-checks',
  'POST /api/events/token',
  'POST /api/scheduled-calls/{scheduled_call_id}/cancel',
  'POST /api/schemas/agent-config/validate',
  'POST /api/sessions/by-room/{room_name}/end',
  'POST /api/sessions/{session_id}/transfer',
  'POST /api/sessions/{session_id}/transfer/complete',
  'POST /api/telephony/numbers/release',
  'POST /api/test-runs/{test_run_id}/cancel',
];

test('every operation by which a user’s key can add something is refused once the quota is full', async () => {
  const { service, user } = await startWithQuota({ STORED_BYTES_PER_USER: '1' });
  const writing = service.app.server.operations
    .filter(({ method, roles }) => method !== 'GET' && roles.includes('user'))
    .map(({ method, path }) => `${method} ${path}`);
  assert.ok(writing.length > 20);
  const refused: string[] = [];
  for (const name of writing) {
    const [method = '', path = ''] = name.split(' ');
    const { body } = await user.request(method, path.replace(/\{\w+\}/g, '01980000-0000-7000-8000-000000000000'), {
      body: {},
    });
    if (body?.code === 'quota_exceeded') refused.push(name);
  }
  assert.deepEqual(writing.filter((name) => !refused.includes(name)).sort(), ALWAYS);
});
