import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { AppError } from '../../src/lib/errors.ts';
import { createFolderStorage } from '../../src/providers/storage/folder.ts';

const clock = createTestClock();
const database = await openTestDatabase();
const keys = keysOf(database);
const root = await keys.create({ name: 'Service', role: 'service' });
const env = { AUTH_MODE: 'required', CALLS_BURST: '100', RECORDING_RETENTION_DAYS: '30' };
const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-recordings-'));
after(() => rm(dir, { recursive: true, force: true }));
const folder = createFolderStorage(dir);
/** The recording that the storage refuses to delete. */
let refused = '';
const removeAll: typeof folder.removeAll = async (id) => {
  if (id === refused) throw new AppError('provider_unavailable');
  return folder.removeAll(id);
};
const started = await startService({ env, database, clock, storage: { ...folder, removeAll } });
const service: Pick<typeof started, 'request'> = {
  request: (method, url, options) =>
    started.request(method, url, { user: USER, ...options, headers: { authorization: `Bearer ${root.key}` } }),
};

const listed = async (call_id: string) =>
  (await service.request('GET', `/api/calls/${call_id}/recordings`)).body.recordings;

function reaches(call_id: string, state: string) {
  return eventually(
    async () => {
      await started.app.reconcile();
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
  return { call_id, ...of, path: `/api/calls/${call_id}/recordings/${of.recording_id}` };
}

test('a recording whose worker died is stored as far as it came, with the gap, and completed by what comes late', async () => {
  const { call_id, add, report } = await begun();
  const [first, second, late] = [segment(0), segment(1), segment(2)];
  await add(first);
  await add(second);
  clock.advance(13_000);
  await service.request('POST', `/api/calls/${call_id}/end`);
  clock.advance(60_000);
  await started.app.reconcile();
  assert.equal((await listed(call_id))[0].state, 'recording', 'its worker may only be slow');
  clock.advance(70_000);
  const recording = await reaches(call_id, 'stored');
  assert.deepEqual(
    [recording.gaps, recording.duration_ms],
    [[{ from_ms: 8_000, to_ms: 13_000, why: 'worker_lost' }], 8_000],
  );
  // The worker was started again, and sends what its spool has.
  assert.deepEqual((await add(late)).body, { added: true });
  const more = await reaches(call_id, 'stored');
  const whole = Buffer.concat([first.bytes, second.bytes, late.bytes]);
  assert.deepEqual(
    [more.gaps, more.bytes, more.sha256],
    [
      [{ from_ms: 12_000, to_ms: 13_000, why: 'worker_lost' }],
      whole.length,
      createHash('sha256').update(whole).digest('hex'),
    ],
  );
  await report('ended', { segments: 3 });
  assert.deepEqual((await reaches(call_id, 'stored')).gaps, []);
});

test('a segment that is sent after later ones were stored fills its gap', async () => {
  const { call_id, add, report } = await begun();
  const [first, between, last, end] = [segment(0), segment(1), segment(2), segment(3)];
  await add(first);
  await add(last);
  clock.advance(12_000);
  await service.request('POST', `/api/calls/${call_id}/end`);
  clock.advance(130_000);
  assert.deepEqual((await reaches(call_id, 'stored')).gaps, [{ from_ms: 4_000, to_ms: 8_000, why: 'segment_lost' }]);
  // Its worker says how many there are before it sends them.
  await report('ended', { segments: 4 });
  for (const late of [between, end]) assert.deepEqual((await add(late)).body, { added: true });
  assert.deepEqual((await add(between)).body, { added: false });
  const { gaps, bytes, sha256 } = await reaches(call_id, 'stored');
  const whole = Buffer.concat([first, between, last, end].map((one) => one.bytes));
  assert.deepEqual([gaps, bytes, sha256], [[], whole.length, createHash('sha256').update(whole).digest('hex')]);
});

test('a segment that its worker could not store is a gap', async () => {
  const { call_id, add, report } = await begun();
  await add(segment(0));
  await add(segment(1), { from_ms: 6_000, to_ms: 9_000 });
  await report('ended', { segments: 2 });
  assert.deepEqual((await reaches(call_id, 'stored')).gaps, [{ from_ms: 4_000, to_ms: 6_000, why: 'segment_lost' }]);
});

test('a call that ends without consent, or whose worker died before, has no audio', async () => {
  const { call_id } = await answeredCall(service);
  const of = recorder(service, call_id);
  await of.report('waiting_for_consent', { started_at: undefined });
  await service.request('POST', `/api/calls/${call_id}/end`);
  clock.advance(150_000);
  const failed = await reaches(call_id, 'failed');
  assert.deepEqual([failed.bytes, failed.error], [0, 'Nothing was recorded.']);

  const other = await answeredCall(service);
  const refused = recorder(service, other.call_id);
  await refused.report('waiting_for_consent', { started_at: undefined });
  await refused.report('refused');
  await refused.report('recording');
  assert.deepEqual((await refused.add(segment(0))).body, { added: false });
  assert.equal((await listed(other.call_id))[0].state, 'refused');

  const impossible = recorder(service, other.call_id);
  await impossible.report('failed', { error: 'It cannot ask.' });
  assert.deepEqual((await impossible.add(segment(0))).body, { added: false });
  const { body } = await impossible.report('recording');
  assert.deepEqual([body.state, body.error], ['failed', 'It cannot ask.']);
});

for (const before of ['waiting_for_consent', 'recording'])
  test(`after a call in which nothing came behind ${before}, what comes late is stored, and not called failed`, async () => {
    const { call_id } = await answeredCall(service);
    const of = recorder(service, call_id);
    const started_at = clock.now().toISOString();
    await of.report(before, { started_at });
    await service.request('POST', `/api/calls/${call_id}/end`);
    clock.advance(150_000);
    await reaches(call_id, 'failed');
    // The worker reaches the service, and the service its storage.
    const [first, second] = [segment(0), segment(1)];
    await of.report('recording', { started_at });
    assert.deepEqual((await of.add(first)).body, { added: true });
    assert.deepEqual((await of.add(second)).body, { added: true });
    const { state, body } = {
      ...(await listed(call_id))[0],
      body: (await of.report('ended', { started_at, segments: 2 })).body,
    };
    assert.deepEqual([state, body.state, body.error], ['recording', 'uploading', null]);
    const stored = await reaches(call_id, 'stored');
    assert.deepEqual([stored.bytes, stored.gaps, stored.error, stored.started_at], [600, [], null, started_at]);
  });

test('a segment that comes alone after a call in which nothing came is stored as far as it goes', async () => {
  const { call_id, add } = await begun();
  clock.advance(10_000);
  await service.request('POST', `/api/calls/${call_id}/end`);
  clock.advance(150_000);
  await reaches(call_id, 'failed');
  assert.deepEqual((await add(segment(0))).body, { added: true });
  const { error, gaps } = await reaches(call_id, 'stored');
  assert.deepEqual([error, gaps], [null, [{ from_ms: 4_000, to_ms: 10_000, why: 'worker_lost' }]]);
});

test('a recording whose segments have not come a day after its call has failed', async () => {
  const { call_id, report } = await begun();
  await report('ended', { segments: 2 });
  await service.request('POST', `/api/calls/${call_id}/end`);
  clock.advance(150_000);
  await started.app.reconcile();
  assert.equal((await listed(call_id))[0].state, 'uploading');
  clock.advance(25 * 60 * 60_000);
  assert.deepEqual((await reaches(call_id, 'failed')).error, 'Nothing was recorded.');
});

test('a segment has at most 256 KiB, and a recording 25,000 of them', async () => {
  const { add } = await begun();
  assert.equal((await add(segment(0, 4_000, 256 * 1024))).status, 201);
  assert.equal((await add(segment(1, 4_000, 256 * 1024 + 1))).status, 422);
  assert.equal((await add(segment(24_999, 1))).status, 201);
  assert.equal((await add(segment(25_000, 1))).status, 422);
});

test('a link opens the audio of one recording and nothing else, until its key is revoked', async () => {
  const { call_id, add, report, path: own } = await begun();
  const only = segment(0);
  await add(only);
  const mine = await keys.create({ name: 'Mine', role: 'user', user_id: USER });
  const as = { headers: { authorization: `Bearer ${mine.key}` } };
  assert.equal((await started.request('POST', `${own}/link`, as)).status, 404, 'nothing is stored yet');
  await report('ended', { segments: 1 });
  await reaches(call_id, 'stored');
  const { body } = await started.request('POST', `${own}/link`, as);
  const get = (url: string) => fetch(started.url + url);
  const heard = await get(body.url);
  assert.equal(heard.status, 200);
  assert.ok(Buffer.from(await heard.arrayBuffer()).equals(only.bytes));
  const token = new URL(body.url, started.url).searchParams.get('token');
  const other = await begun();
  for (const url of [`${other.path}/audio`, `/api/calls/${call_id}/events`, '/api/events'])
    assert.equal((await get(`${url}?token=${token}`)).status, 401, url);
  const stream = (await started.request('POST', `/api/calls/${call_id}/events/token`, as)).body.token;
  assert.equal((await get(`${own}/audio?token=${stream}`)).status, 401, 'the token of a stream opens no audio');
  assert.equal((await get(`${own}/audio?token=${mine.key}`)).status, 401, 'nor does a key in the address');
  await keys.revoke(mine.id);
  await eventually(
    () => get(body.url),
    ({ status }) => status === 401,
  );
});

test('a link is over after an hour, and with the key that asked for it if that ends before', async () => {
  const { call_id, add, report, path: own } = await begun();
  await add(segment(0));
  await report('ended', { segments: 1 });
  await reaches(call_id, 'stored');
  const expires_at = new Date(clock.now().getTime() + 20 * 60_000).toISOString();
  const brief = await keys.create({ name: 'Brief', role: 'user', user_id: USER, expires_at });
  const { body: long } = await service.request('POST', `${own}/link`);
  const { body: short } = await started.request('POST', `${own}/link`, {
    headers: { authorization: `Bearer ${brief.key}` },
  });
  assert.equal(Date.parse(long.expires_at) - clock.now().getTime(), 60 * 60_000);
  assert.equal(short.expires_at, expires_at);
  const statusOf = async ({ url }: { url: string }) => {
    const response = await fetch(started.url + url);
    await response.body?.cancel();
    return response.status;
  };
  clock.advance(20 * 60_000 - 1);
  assert.deepEqual([await statusOf(long), await statusOf(short)], [200, 200]);
  clock.advance(1);
  assert.deepEqual([await statusOf(long), await statusOf(short)], [200, 401]);
  clock.advance(40 * 60_000 - 1);
  assert.equal(await statusOf(long), 200);
  clock.advance(1);
  assert.equal(await statusOf(long), 401);
});

test('recordings are deleted at their age, audio and row, also beside one that the storage does not delete', async () => {
  const stored: Awaited<ReturnType<typeof begun>>[] = [];
  for (let count = 0; count < 3; count++) {
    const one = await begun();
    await one.add(segment(0));
    await one.report('ended', { segments: 1 });
    await reaches(one.call_id, 'stored');
    stored.push(one);
    clock.advance(1);
  }
  const files = async () => (await readdir(dir)).filter((id) => stored.some(({ recording_id }) => recording_id === id));
  const [, kept] = stored;
  assert.ok(kept);
  refused = kept.recording_id;
  clock.advance(31 * 24 * 60 * 60_000);
  /** Rounds until recordings of so many of the calls are listed. */
  const left = (count: number) =>
    eventually(
      async () => {
        await started.app.reconcile();
        clock.advance(60 * 60_000);
        return (await Promise.all(stored.map(({ call_id }) => listed(call_id)))).flat();
      },
      (found) => found.length === count,
    );
  const [one] = await left(1);
  assert.deepEqual([one.recording_id, one.state], [kept.recording_id, 'deleted']);
  assert.equal((await service.request('GET', `${kept.path}/audio`)).status, 404);
  assert.deepEqual(await files(), [kept.recording_id]);
  refused = '';
  await left(0);
  assert.deepEqual(await files(), []);
});
