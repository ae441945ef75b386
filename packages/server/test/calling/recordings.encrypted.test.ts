import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { SECRETS_KEY } from '@switchboard/testkit/keys.ts';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { closeAudio, lastByteOf, openAudio } from '../../src/lib/sealed-audio.ts';
import { createFolderStorage } from '../../src/providers/storage/folder.ts';

const OTHER_KEY = Buffer.alloc(32, 9).toString('base64');
/** Bytes of a segment: several pieces, and a last one that is shorter. */
const SIZES = [300, 40_000, 16_384, 32_768 + 5];

const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-sealed-'));
after(() => rm(dir, { recursive: true, force: true }));
const folder = createFolderStorage(dir);
const database = await openTestDatabase();
after(() => database.close());

/** A service with these keys on the same database and storage, until `work` is done. */
async function withKeys<T>(keys: string | null, work: (service: Service) => Promise<T>, storage = folder): Promise<T> {
  const service = await startService({ database, storage, env: keys === null ? {} : { SECRETS_KEY: keys } });
  return work(service).finally(() => service.close());
}

async function begin(service: Service) {
  const { call_id } = await answeredCall(service);
  const of = recorder(service, call_id);
  await of.report('recording');
  return { call_id, ...of, path: `/api/calls/${call_id}/recordings/${of.recording_id}` };
}

async function reachStored(service: Service, call_id: string) {
  const [recording] = await eventually(
    async () => {
      await service.app.reconcile();
      const { body } = await service.request('GET', `/api/calls/${call_id}/recordings`);
      return body.recordings as { state: string; sha256: string; bytes: number }[];
    },
    ([one]) => one?.state === 'stored',
  );
  return recording;
}

async function hear(service: Service, url: string, range?: string) {
  const response = await fetch(service.url + url, { headers: range ? { range } : {} });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

const keys = () => database.db.selectFrom('data_keys').selectAll().orderBy('user_id').execute();
const destroyKey = async () => void (await database.db.deleteFrom('data_keys').execute());
const filesOf = async (id: string) =>
  Promise.all((await readdir(path.join(dir, id))).sort().map((name) => readFile(path.join(dir, id, name))));

test('audio from before SECRETS_KEY stays audible, also the beginning of a recording', async () => {
  const [first, second] = [segment(0, 4_000, 40_000), segment(1, 4_000, 40_000)];
  const begun = await withKeys(null, async (service) => {
    const begun = await begin(service);
    await begun.add(first);
    return begun;
  });
  await withKeys(SECRETS_KEY, async (service) => {
    const again = recorder(service, begun.call_id, begun.recording_id);
    await again.add(second);
    await again.report('ended', { segments: 2 });
    await reachStored(service, begun.call_id);
    const whole = Buffer.concat([first.bytes, second.bytes]);
    assert.deepEqual(
      (await filesOf(begun.recording_id)).map((file) => file.includes('OggS')),
      [true, false],
    );
    assert.ok((await hear(service, `${begun.path}/audio`)).bytes.equals(whole));
    const { bytes } = await hear(service, `${begun.path}/audio`, 'bytes=39990-40020');
    assert.ok(bytes.equals(whole.subarray(39_990, 40_021)));
  });
});

test('with SECRETS_KEY nothing in the storage is audio, and whoever may hear it hears all of it', () =>
  withKeys(SECRETS_KEY, async (service) => {
    const { call_id, add, report, recording_id, path: url } = await begin(service);
    const segments = SIZES.map((size, seq) => segment(seq, 4_000, size));
    for (const one of segments) assert.equal((await add(one)).status, 201);
    await report('ended', { segments: segments.length });
    const whole = Buffer.concat(segments.map(({ bytes }) => bytes));
    const recording = await reachStored(service, call_id);
    assert.equal(recording?.sha256, createHash('sha256').update(whole).digest('hex'));
    assert.equal(recording?.bytes, whole.length);

    const files = await filesOf(recording_id);
    assert.equal(files.length, SIZES.length);
    for (const [index, file] of files.entries()) {
      assert.ok(!file.includes('OggS'));
      const { bytes } = segments[index] as (typeof segments)[0];
      for (let at = 4; at + 8 <= bytes.length; at += 1_000) assert.ok(!file.includes(bytes.subarray(at, at + 8)));
    }
    const [key] = await keys();
    assert.ok(key && !key.secret.startsWith('data_'), 'the key itself is encrypted');

    assert.ok((await hear(service, `${url}/audio`)).bytes.equals(whole));
    const places = [0, 1, 299, 300, 301, 16_683, 16_684, 40_299, 40_300, 56_683, 56_684, whole.length - 1];
    for (const start of places)
      for (const end of places.filter((place) => place >= start)) {
        const { status, bytes } = await hear(service, `${url}/audio`, `bytes=${start}-${end}`);
        assert.equal(status, 206);
        assert.ok(bytes.equals(whole.subarray(start, end + 1)), `${start}-${end}`);
      }
    const { body } = await service.request('POST', `${url}/link`);
    assert.ok((await hear(service, body.url)).bytes.equals(whole), 'by a link');
  }));

/** Starts with other keys, and waits until everything is encrypted with the first of them. */
async function resealed(secrets: string): Promise<void> {
  const all = async () => {
    const { rows } = await sql<{
      secret: string;
    }>`select secret from data_keys union select secret from number_keys`.execute(database.db);
    return rows.map(({ secret }) => secret);
  };
  const before = new Set(await all());
  await withKeys(secrets, (service) =>
    eventually(
      async () => {
        await service.app.reconcile();
        return all();
      },
      (now) => now.every((secret) => !before.has(secret)),
    ),
  );
}

test('a new SECRETS_KEY encrypts the keys of users again, and the old one can be removed', async () => {
  const only = segment(0);
  const { url, open } = await withKeys(SECRETS_KEY, async (service) => {
    const [begun, open] = [await begin(service), await begin(service)];
    await begun.add(only);
    await begun.report('ended', { segments: 1 });
    await reachStored(service, begun.call_id);
    return { url: begun.path, open };
  });
  const before = (await keys()).map(({ id }) => id);
  await resealed(`${OTHER_KEY},${SECRETS_KEY}`);
  assert.deepEqual(
    (await keys()).map(({ id }) => id),
    before,
  );
  await withKeys(OTHER_KEY, async (service) => {
    assert.ok((await hear(service, `${url}/audio`)).bytes.equals(only.bytes));
  });
  // The wrong one: nothing is sent, and a segment is refused so that its worker keeps it.
  await withKeys(SECRETS_KEY, async (service) => {
    assert.ok((await hear(service, `${url}/audio`)).status >= 500);
    assert.equal((await recorder(service, open.call_id, open.recording_id).add(only)).status, 503);
  });
  await resealed(`${SECRETS_KEY},${OTHER_KEY}`);
});

test('two replicas that need the first key of a user at once make one', async () => {
  await destroyKey();
  await withKeys(SECRETS_KEY, (one) =>
    withKeys(SECRETS_KEY, async (other) => {
      const [first, second] = [await begin(one), await begin(other)];
      const answers = await Promise.all([
        first.add(segment(0)),
        second.add(segment(0)),
        first.add(segment(1)),
        second.add(segment(1)),
      ]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [201, 201, 201, 201],
      );
      await first.report('ended', { segments: 2 });
      // Each reads what the other has encrypted.
      await reachStored(other, first.call_id);
      assert.equal((await keys()).length, 1);
    }),
  );
});

test('an erasure destroys the key: what is written afterwards has a new one, on every replica', async () => {
  const keyOf = async () => (await keys())[0]?.id;
  await withKeys(SECRETS_KEY, (one) =>
    withKeys(SECRETS_KEY, async (other) => {
      const before = await begin(one);
      await before.add(segment(0));
      // The other replica knows the key, too.
      await (await begin(other)).add(segment(0));
      const destroyed = await keyOf();
      assert.ok(destroyed);
      assert.equal((await one.request('DELETE', `/api/users/${USER}`)).status, 200);
      assert.equal(await keyOf(), undefined);
      const only = segment(0);
      const next = await begin(other);
      assert.equal((await next.add(only)).status, 201);
      assert.notEqual(await keyOf(), destroyed);
      await next.report('ended', { segments: 1 });
      await reachStored(one, next.call_id);
      assert.ok((await hear(one, `${next.path}/audio`)).bytes.equals(only.bytes));
    }),
  );
});

test('a segment whose key an erasure destroys before it is recorded is sent again', async () => {
  let meanwhile = async () => {};
  const slow: typeof folder = {
    ...folder,
    put: async (...args) => {
      await folder.put(...args);
      await meanwhile();
    },
  };
  const work = async (service: Service) => {
    const { add, report, call_id } = await begin(service);
    meanwhile = destroyKey;
    const only = segment(0);
    assert.equal((await add(only)).status, 503);
    meanwhile = async () => {};
    assert.deepEqual((await add(only)).body, { added: true });
    await report('ended', { segments: 1 });
    await reachStored(service, call_id);
  };
  await withKeys(SECRETS_KEY, work, slow);
});

test('audio that was changed, cut, lengthened or moved is not called stored', () =>
  withKeys(SECRETS_KEY, async (service) => {
    const { call_id, add, report, recording_id } = await begin(service);
    const only = segment(0, 4_000, 40_000);
    await add(only);
    const file = path.join(dir, recording_id, '000000.ogg');
    const right = await readFile(file);
    const changed = Buffer.from(right);
    changed[20_000] = (changed[20_000] ?? 0) ^ 1;
    await writeFile(file, changed);
    await report('ended', { segments: 1 });
    const failing = await eventually(
      async () => {
        await service.app.reconcile();
        return (await service.request('GET', '/api/work?kind=recording_seal')).body.failing;
      },
      (found) => found.length === 1,
    );
    assert.match(failing[0].last_error, /segment .*000000\.ogg/);
    await writeFile(file, right);
    await service.request('POST', `/api/work/${failing[0].id}/retry`);
    await reachStored(service, call_id);
  }));

test('no byte of an encrypted object can be changed, none be missing, and none be added', async () => {
  const key = { id: '018f0000-0000-7000-8000-000000000001', key: randomBytes(32) };
  for (const size of [1, 16_383, 16_384, 16_385, 40_000]) {
    const audio = randomBytes(size);
    const closed = closeAudio(audio, 'one/000000.ogg', key);
    const open = async (bytes: Buffer, name = 'one/000000.ogg', end = size - 1) => {
      const last = lastByteOf(end, size);
      // In odd pieces, as a network delivers them.
      async function* source() {
        const given = bytes.subarray(0, last === null ? undefined : last + 1);
        for (let at = 0; at < given.length; at += 1_013) yield given.subarray(at, at + 1_013);
      }
      const parts = [];
      for await (const part of openAudio(source(), { name, size }, { start: 0, end }, async () => key.key))
        parts.push(part);
      return Buffer.concat(parts);
    };
    assert.ok((await open(closed)).equals(audio));
    assert.ok((await open(closed, undefined, 0)).equals(audio.subarray(0, 1)));
    const flipped = (at: number) => Buffer.from(closed.map((byte, index) => (index === at ? byte ^ 1 : byte)));
    for (const at of [20, 25, 55, 60, closed.length - 17, closed.length - 1]) await assert.rejects(open(flipped(at)));
    await assert.rejects(open(closed.subarray(0, -1)));
    await assert.rejects(open(closed.subarray(0, 59)));
    await assert.rejects(open(Buffer.concat([closed, Buffer.alloc(1)])));
    await assert.rejects(open(closed, 'other/000000.ogg'), /other/);
  }
});
