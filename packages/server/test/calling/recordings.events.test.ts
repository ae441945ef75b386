import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { AppError } from '../../src/lib/errors.ts';
import { createFolderStorage } from '../../src/providers/storage/folder.ts';

const clock = createTestClock();
const database = await openTestDatabase();
const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-recordings-'));
after(() => rm(dir, { recursive: true, force: true }));
const folder = createFolderStorage(dir);
let isFull = false;
const put: typeof folder.put = async (...args) => {
  if (isFull) throw new AppError('provider_unavailable');
  return folder.put(...args);
};
const service = await startService({
  database,
  clock,
  storage: { ...folder, put },
  env: { CALLBACK_ALLOW_PRIVATE: 'true' },
});
const receiver = await startReceiver();
const endpoint = (name: string, events?: string[]) =>
  service.request('POST', '/api/webhook-endpoints', { user: USER, body: { url: `${receiver.url}/${name}`, events } });
await endpoint('all');
await endpoint('failed', ['recording.failed']);

const listed = async (call_id: string) =>
  (await service.request('GET', `/api/calls/${call_id}/recordings`, { user: USER })).body.recordings;

/** Events of recordings that were queued for a call, oldest first. */
async function queued(call_id: string) {
  const rows = await database.db
    .selectFrom('callbacks')
    .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'endpoint_id')
    .select(['type', 'webhook_endpoints.url', 'payload'])
    .where('session_id', '=', call_id)
    .where('type', 'like', 'recording.%')
    .orderBy('callbacks.id')
    .execute();
  return rows.map(({ type, url, payload }) => ({
    type,
    to: url.split('/').at(-1),
    data: JSON.parse(String(payload)).data,
  }));
}

function reaches(call_id: string, state: string) {
  return eventually(
    async () => {
      await service.app.reconcile();
      return (await listed(call_id))[0];
    },
    (recording) => recording?.state === state,
  );
}

async function begun() {
  const { call_id } = await answeredCall(service);
  const started_at = clock.now().toISOString();
  const of = recorder(service, call_id);
  await of.report('recording', { started_at });
  return { call_id, ...of };
}

test('a recording that is stored is reported once, as it is shown, to those who want that', async () => {
  const { call_id, add, report } = await begun();
  await add(segment(0));
  assert.deepEqual(await queued(call_id), [], 'it has not ended');
  await report('ended', { segments: 1 });
  const shown = await reaches(call_id, 'stored');
  await report('ended', { segments: 1 });
  await add(segment(0));
  await service.app.reconcile();
  assert.deepEqual(await queued(call_id), [{ type: 'recording.stored', to: 'all', data: shown }]);
  await eventually(
    async () => receiver.at('/all').map(({ body }) => JSON.parse(body)),
    (bodies) => bodies.some(({ type, data }) => type === 'recording.stored' && data.call_id === call_id),
  );
});

test('a recording that has failed is reported once, however often its worker says so', async () => {
  const { call_id } = await answeredCall(service);
  const of = recorder(service, call_id);
  await of.report('waiting_for_consent', { started_at: undefined });
  for (let count = 0; count < 2; count++) await of.report('failed', { error: 'It cannot ask.' });
  const events = await queued(call_id);
  assert.deepEqual(events.map(({ to }) => to).sort(), ['all', 'failed']);
  const [shown] = await listed(call_id);
  for (const { type, data } of events) assert.deepEqual([type, data], ['recording.failed', shown]);
  assert.equal(shown.error, 'It cannot ask.');
});

test('a recording whose worker is lost is reported as far as it goes, and again once there is more of it', async () => {
  const { call_id, add, report } = await begun();
  clock.advance(13_000);
  await service.request('POST', `/api/calls/${call_id}/end`, { user: USER });
  clock.advance(150_000);
  await reaches(call_id, 'failed');
  for (const seq of [0, 1]) {
    await add(segment(seq));
    await reaches(call_id, 'stored');
  }
  await report('ended', { segments: 2 });
  await reaches(call_id, 'stored');
  // Two processes say that its worker has failed, and that it has ended.
  await report('failed');
  await report('ended', { segments: 2 });
  await service.app.reconcile();
  const all = (await queued(call_id)).filter(({ to }) => to === 'all');
  assert.deepEqual(
    all.map(({ type, data }) => [type, data.duration_ms, data.gaps.length]),
    [
      ['recording.failed', 0, 0],
      ['recording.stored', 4_000, 1],
      ['recording.stored', 8_000, 1],
      ['recording.stored', 8_000, 0],
    ],
  );
});

for (const before of [0, 1])
  test(`a recording with ${before} segments is not called lost while its worker sends more that the storage refuses`, async () => {
    const { call_id, add, report } = await begun();
    const segments = [segment(0), segment(1), segment(2)];
    for (const one of segments.slice(0, before)) await add(one);
    clock.advance(12_000);
    await service.request('POST', `/api/calls/${call_id}/end`, { user: USER });
    isFull = true;
    for (const one of Array(6).fill(segments[before])) {
      clock.advance(110_000);
      assert.equal((await add(one)).status, 503);
      await service.app.reconcile();
    }
    assert.equal((await listed(call_id))[0].state, 'recording');
    isFull = false;
    for (const one of segments.slice(before)) await add(one);
    await report('ended', { segments: 3 });
    await reaches(call_id, 'stored');
    assert.deepEqual(
      (await queued(call_id)).map(({ type, data }) => [type, data.duration_ms, data.gaps]),
      [['recording.stored', 12_000, []]],
    );
  });

test('a recording is not stored without its event: both are in one transaction', async () => {
  const { call_id, add, report } = await begun();
  await add(segment(0));
  const refusal = sql`alter table callbacks add constraint none check (type <> 'recording.stored') not valid`;
  await refusal.execute(database.db);
  await report('ended', { segments: 1 });
  await service.app.reconcile();
  await eventually(
    () => database.db.selectFrom('work').select('last_error').where('kind', '=', 'recording_seal').executeTakeFirst(),
    (work) => Boolean(work?.last_error),
  );
  assert.equal((await listed(call_id))[0].state, 'uploading');
  await service.request('POST', `/api/calls/${call_id}/end`, { user: USER });
  const attemptsAfter = async (ms: number) => {
    clock.advance(ms);
    await service.app.reconcile();
    const work = database.db.selectFrom('work').select('attempts').where('kind', '=', 'recording_seal');
    return (await work.executeTakeFirstOrThrow()).attempts;
  };
  let attempts = 0;
  while (attempts < 8) attempts = await attemptsAfter(10 * 60_000);
  assert.equal(await attemptsAfter(3 * 60_000), attempts, 'it is not tried again before its pause is over');
  await sql`alter table callbacks drop constraint none`.execute(database.db);
  clock.advance(60 * 60_000);
  await reaches(call_id, 'stored');
  assert.equal((await queued(call_id)).length, 1);
});
