import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { AppError } from '../../src/lib/errors.ts';
import { createFolderStorage } from '../../src/providers/storage/folder.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-recordings-'));
after(() => rm(dir, { recursive: true, force: true }));

/** A folder that can refuse, and change what it returns. */
const folder = createFolderStorage(dir);
let refuses = false;
let forgets = false;
let refusesNow = async () => false;
let changed: Buffer | null = null;
const failing = () => {
  if (refuses) throw new AppError('provider_unavailable', { detail: 'The storage of recordings failed (ENOSPC).' });
};
const storage: typeof folder = {
  ...folder,
  put: async (...args) => {
    failing();
    if (await refusesNow()) throw new AppError('provider_unavailable');
    await folder.put(...args);
    if (forgets) throw new Error('the service dies here');
  },
  removeAll: async (...args) => {
    failing();
    if (await refusesNow()) throw new AppError('provider_unavailable');
    return folder.removeAll(...args);
  },
  read: async (...args) => {
    if (changed) await folder.put(args[0], changed);
    return folder.read(...args);
  },
};
const service = await startService({ storage });

const listed = async (call_id: string) =>
  (await service.request('GET', `/api/calls/${call_id}/recordings`, { user: USER })).body.recordings;

/** Does the queued work, and waits until the only recording of the call has this state. */
function reaches(call_id: string, state: string) {
  return eventually(
    async () => {
      await service.app.reconcile();
      return (await listed(call_id))[0];
    },
    (recording) => recording?.state === state,
  );
}

/** A stored recording of so many segments. */
async function stored(count = 3) {
  const { call_id } = await answeredCall(service);
  const of = recorder(service, call_id);
  await of.report('recording');
  const segments = Array.from({ length: count }, (_, seq) => segment(seq));
  for (const one of segments) assert.equal((await of.add(one)).status, 201);
  await of.report('ended', { segments: count });
  await reaches(call_id, 'stored');
  const whole = Buffer.concat(segments.map(({ bytes }) => bytes));
  return { call_id, ...of, whole, path: `/api/calls/${call_id}/recordings/${of.recording_id}` };
}

async function bytesOf(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}${url}`, { headers: { 'x-user-id': USER, ...headers } });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

test('a recording waits for consent, is recorded, uploaded, verified and stored', async () => {
  const { call_id } = await answeredCall(service);
  const of = recorder(service, call_id);
  const states = [];
  states.push((await of.report('waiting_for_consent', { started_at: undefined })).body.state);
  states.push((await of.report('recording')).body.state);
  // Late: it is recorded already.
  states.push((await of.report('waiting_for_consent')).body.state, (await of.report('refused')).body.state);
  const [first, second] = [segment(0), segment(1)];
  assert.deepEqual((await of.add(first)).body, { added: true });
  states.push((await of.report('ended', { segments: 2 })).body.state);
  await service.app.reconcile();
  assert.equal((await listed(call_id))[0].state, 'uploading', 'one is missing');
  await of.add(second);
  assert.deepEqual(states, ['waiting_for_consent', 'recording', 'recording', 'recording', 'uploading']);
  const recording = await reaches(call_id, 'stored');
  const whole = Buffer.concat([first.bytes, second.bytes]);
  assert.deepEqual(
    [recording.bytes, recording.duration_ms, recording.gaps, recording.sha256],
    [600, 8000, [], createHash('sha256').update(whole).digest('hex')],
  );
});

test('a segment is stored once, however often and in whatever order it is sent; what does not fit is refused', async () => {
  const { call_id } = await answeredCall(service);
  const of = recorder(service, call_id);
  await of.report('recording');
  const [first, second] = [segment(0), segment(1)];
  for (const one of [second, first, second, first]) assert.equal((await of.add(one)).status, 201);
  assert.deepEqual((await of.add(first)).body, { added: false });
  const wrong = [
    of.add(segment(0)),
    of.add(segment(2), { sha256: first.body.sha256 }),
    of.add(segment(2), { audio: Buffer.from('RIFF').toString('base64') }),
    of.add(segment(2), { to_ms: 3 }),
    of.report('ended'),
  ];
  assert.deepEqual(
    (await Promise.all(wrong)).map(({ status }) => status),
    [422, 422, 422, 422, 422],
  );
  assert.equal((await recorder(service, call_id).add(first)).status, 404, 'of an unknown recording');
  assert.equal((await listed(call_id))[0].bytes, 600);
});

test('the audio is sent whole and in any range, and only to its user', async () => {
  const { path: url, whole } = await stored();
  const all = await bytesOf(`${url}/audio`);
  assert.deepEqual([all.response.status, all.response.headers.get('content-length')], [200, '900']);
  assert.equal(all.response.headers.get('content-type'), 'audio/ogg');
  assert.ok(all.bytes.equals(whole));
  for (const [range, from, to] of [
    ['bytes=0-0', 0, 0],
    ['bytes=250-650', 250, 650],
    ['bytes=299-300', 299, 300],
    ['bytes=600-', 600, 899],
    ['bytes=-5', 895, 899],
    ['bytes=890-5000', 890, 899],
  ] as const) {
    const { response, bytes } = await bytesOf(`${url}/audio`, { range });
    assert.deepEqual([response.status, response.headers.get('content-range')], [206, `bytes ${from}-${to}/900`]);
    assert.ok(bytes.equals(whole.subarray(from, to + 1)), range);
  }
  assert.equal((await bytesOf(`${url}/audio`, { range: 'bytes=900-' })).response.status, 200, 'a range is optional');
  assert.equal((await bytesOf(`${url}/audio`, { 'x-user-id': 'somebody-else' })).response.status, 404);
  const { body } = await service.request('GET', '/api/audit?action=recording.played');
  assert.ok(body.items.length >= 8, 'each access is in the audit log');
});

test('a storage that refuses gets the segment again, and none is recorded that it does not have', async () => {
  const { call_id } = await answeredCall(service);
  const of = recorder(service, call_id);
  await of.report('recording');
  const only = segment(0);
  refuses = true;
  try {
    const answer = await of.add(only);
    assert.deepEqual([answer.status, answer.body.code], [503, 'provider_unavailable']);
  } finally {
    refuses = false;
  }
  await of.report('ended', { segments: 1 });
  await service.app.reconcile();
  const [waiting] = await listed(call_id);
  assert.deepEqual([waiting.state, waiting.bytes], ['uploading', 0]);
  await of.add(only);
  await reaches(call_id, 'stored');
});

test('a service that dies after a segment is in the storage gets it again, and has it once', async () => {
  const { call_id } = await answeredCall(service);
  const of = recorder(service, call_id);
  await of.report('recording');
  const only = segment(0);
  forgets = true;
  try {
    assert.equal((await of.add(only)).status, 500);
    assert.deepEqual(await readdir(path.join(dir, of.recording_id)), ['000000.ogg']);
  } finally {
    forgets = false;
  }
  assert.deepEqual((await of.add(only)).body, { added: true });
  await of.report('ended', { segments: 1 });
  assert.equal((await reaches(call_id, 'stored')).bytes, only.bytes.length);
});

test('audio that the storage has changed is not called stored, and is once it is right', async () => {
  const { call_id } = await answeredCall(service);
  const of = recorder(service, call_id);
  await of.report('recording');
  const only = segment(0);
  await of.add(only);
  changed = Buffer.from(only.bytes).fill(0, 200);
  try {
    await of.report('ended', { segments: 1 });
    const failing = await eventually(
      async () => {
        await service.app.reconcile();
        return (await service.request('GET', '/api/work?kind=recording_seal')).body.failing;
      },
      (found) => found.length === 1,
    );
    assert.match(failing[0].last_error, /segment 0/);
    assert.equal((await listed(call_id))[0].state, 'uploading');
    changed = only.bytes;
    await service.request('POST', `/api/work/${failing[0].id}/retry`);
    await reaches(call_id, 'stored');
  } finally {
    changed = null;
  }
});

test('a deleted recording is gone from the storage, and nothing is added to it', async () => {
  const { call_id, path: url, add, recording_id } = await stored();
  assert.equal((await readdir(path.join(dir, recording_id))).length, 3);
  refuses = true;
  try {
    const refused = await service.request('DELETE', url, { user: USER });
    assert.deepEqual([refused.status, refused.body.code], [503, 'provider_unavailable']);
    assert.equal((await bytesOf(`${url}/audio`)).response.status, 404, 'nobody hears it meanwhile');
  } finally {
    refuses = false;
  }
  assert.equal((await service.request('DELETE', url, { user: USER })).status, 204);
  await assert.rejects(readdir(path.join(dir, recording_id)));
  assert.deepEqual((await add(segment(7))).body, { added: false });
  const [deleted] = await listed(call_id);
  assert.deepEqual([deleted.state, deleted.bytes, deleted.sha256], ['deleted', 0, null]);
});

test('stored audio counts towards the quota of its user until it is deleted', async () => {
  const { db } = service.database;
  const contents = async () => {
    const sum = sql<{ bytes: string }>`select sum(bytes) as bytes from stored_content where user_id = ${USER}`;
    return Number((await sum.execute(db)).rows[0]?.bytes);
  };
  /** Compares the sum of what was counted with each change with a count of everything. */
  async function assertCounted(): Promise<number> {
    await service.app.reconcile();
    const { body } = await service.request('GET', `/api/quotas/${USER}`, { user: USER });
    assert.equal(body.stored_bytes, await contents());
    return body.stored_bytes;
  }
  const { call_id, recording_id, path: url } = await stored(1);
  await assertCounted();
  await db.updateTable('recordings').set({ bytes: 5_000_000 }).where('id', '=', recording_id).execute();
  const before = await assertCounted();
  await service.request('DELETE', url, { user: USER });
  const [{ bytes }] = await listed(call_id);
  assert.equal(bytes, 0);
  assert.ok((await assertCounted()) < before - 4_900_000);
});

test('an erasure deletes audio first, fails with a storage that refuses, and leaves nothing', async () => {
  const { call_id, recording_id } = await stored();
  refuses = true;
  try {
    const refused = await service.request('DELETE', `/api/users/${USER}`);
    assert.deepEqual([refused.status, refused.body.code], [503, 'provider_unavailable']);
    const kept = await service.database.db.selectFrom('sessions').select('user_id').where('id', '=', call_id).execute();
    assert.deepEqual(kept, [{ user_id: USER }], 'no row is erased before the audio');
  } finally {
    refuses = false;
  }
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
  await assert.rejects(readdir(path.join(dir, recording_id)));
  const left = await service.database.db
    .selectFrom('recordings')
    .select('id')
    .where('session_id', '=', call_id)
    .execute();
  assert.deepEqual(left, []);
});

test('an erasure that is interrupted goes on with the recordings that are left', async () => {
  const { call_id } = await answeredCall(service);
  await sql`insert into recordings (id, session_id, user_id, state, channels, created_at, updated_at)
    select gen_random_uuid(), ${call_id}::uuid, ${USER}, 'failed', 'mono', now(), now() from generate_series(1, 401)`.execute(
    service.database.db,
  );
  const left = async () =>
    (await service.database.db.selectFrom('recordings').select('id').where('user_id', '=', USER).execute()).length;
  refusesNow = async () => (await left()) === 201;
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 503);
  assert.equal(await left(), 201, 'a page of them is done');
  refusesNow = async () => false;
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
  assert.equal(await left(), 0);
});
