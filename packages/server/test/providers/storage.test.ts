import assert from 'node:assert/strict';
import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { freePort } from '@switchboard/testkit/ports.ts';
import { missingS3, S3_SETTINGS, startS3 } from '@switchboard/testkit/s3.ts';
import { diagnoseStorage } from '../../src/providers/storage/diagnose.ts';
import { createFolderStorage } from '../../src/providers/storage/folder.ts';
import { createS3Storage, type S3Settings } from '../../src/providers/storage/s3.ts';
import type { Storage } from '../../src/providers/storage/storage.ts';

const unavailable = { code: 'provider_unavailable' };

const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-storage-'));
after(() => rm(dir, { recursive: true, force: true }));

// Before the first test: those that are over while it starts would end the file, and the server with it.
const missing = missingS3();
const store = missing === null ? await startS3(path.join(dir, 's3')) : null;
after(() => store?.kill());

async function textOf(storage: Storage, key: string, range?: { start: number; end: number }): Promise<string> {
  return Buffer.concat(await (await storage.read(key, range)).toArray()).toString();
}

/** Tests of the guarantees of every storage; `files` is where it has its objects. */
function keepsItsPromises(name: string, storage: Storage, files: string): void {
  test(`${name} returns what it was given, whole and in ranges`, async () => {
    await storage.put('a/000000.ogg', Buffer.from('0123456789'));
    assert.equal(await textOf(storage, 'a/000000.ogg'), '0123456789');
    assert.equal(await textOf(storage, 'a/000000.ogg', { start: 3, end: 3 }), '3');
    assert.equal(await textOf(storage, 'a/000000.ogg', { start: 4, end: 9 }), '456789');
  });

  test(`${name} replaces an object`, async () => {
    await storage.put('b/000000.ogg', Buffer.from('first'));
    await storage.put('b/000000.ogg', Buffer.from('second one'));
    assert.equal(await textOf(storage, 'b/000000.ogg'), 'second one');
  });

  test(`${name} refuses to read what it does not have`, async () => {
    await assert.rejects(storage.read('none/000000.ogg'), unavailable);
  });

  test(`${name} deletes a folder, and no other; again without effect`, async () => {
    for (const key of ['c/000000.ogg', 'c/000001.ogg', 'cc/000000.ogg']) await storage.put(key, Buffer.from(key));
    await storage.removeAll('c');
    await storage.removeAll('c');
    for (const key of ['c/000000.ogg', 'c/000001.ogg']) await assert.rejects(storage.read(key), unavailable);
    assert.equal(await textOf(storage, 'cc/000000.ogg'), 'cc/000000.ogg');
  });

  test(`${name} passes its diagnosis, which leaves nothing behind`, async () => {
    const { state, text } = await storage.diagnose();
    assert.deepEqual([state, text], ['ok', `${storage.name} stores, returns and deletes what it is given`]);
    const left = await readdir(files, { recursive: true });
    assert.deepEqual(
      left.filter((file) => file.includes('doctor')),
      [],
    );
  });

  test(`${name} keeps any bytes`, async () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 256));
    await storage.put('d/000000.ogg', bytes);
    assert.ok(Buffer.concat(await (await storage.read('d/000000.ogg')).toArray()).equals(bytes));
  });
}

keepsItsPromises('a folder', createFolderStorage(path.join(dir, 'folder')), path.join(dir, 'folder'));

test('a folder is deleted while objects are added to it', async () => {
  const storage = createFolderStorage(path.join(dir, 'busy'));
  const bytes = Buffer.alloc(1_000);
  let isOver = false;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    // Those that meet a deletion are refused, and sent again.
    for (let n = 0; !isOver; n++) await storage.put(`f/${writer}-${n % 20}.ogg`, bytes).catch(() => {});
  });
  try {
    for (let round = 0; round < 200; round++) await storage.removeAll('f');
  } finally {
    isOver = true;
    await Promise.all(writers);
  }
  // A process was killed in the middle.
  await storage.put('f.deleted/000000.ogg', bytes);
  await storage.removeAll('f');
  await assert.rejects(storage.read('f.deleted/000000.ogg'), unavailable);
});

test('a folder that cannot be written to says so, and one outside is never touched', async () => {
  const storage = createFolderStorage('/dev/null/recordings');
  await assert.rejects(storage.put('a/000000.ogg', Buffer.from('a')), unavailable);
  assert.throws(() => void createFolderStorage(dir).removeAll('../other'), /outside of the storage/);
});

if (store === null) {
  test('a store that speaks S3', { skip: missing ?? false }, () => {});
} else {
  const { settings } = store;
  keepsItsPromises('a store that speaks S3', createS3Storage(settings), path.join(dir, 's3', settings.bucket));

  test('a store that speaks S3 refuses a wrong secret, and a bucket that is not there', async () => {
    const [stranger, elsewhere] = [
      createS3Storage({ ...settings, secretAccessKey: 'wrong' }),
      createS3Storage({ ...settings, bucket: 'elsewhere' }),
    ];
    for (const storage of [stranger, elsewhere]) {
      await assert.rejects(storage.put('e/000000.ogg', Buffer.from('e')), unavailable);
      await assert.rejects(storage.removeAll('e'), unavailable);
    }
    const [refused, missing] = await Promise.all([stranger.diagnose(), elsewhere.diagnose()]);
    assert.equal(refused.state, 'wrong');
    assert.match(
      refused.text,
      /fails: PUT was answered with 403 SignatureDoesNotMatch .*\. Check RECORDINGS_S3_\*, and/,
    );
    assert.equal(missing.state, 'wrong');
    assert.match(missing.text, /the bucket elsewhere at .* fails: PUT was answered with 404 NoSuchBucket /);
  });
}

test('the diagnosis of a folder says why it cannot be written to, and leaves no new folder behind', async () => {
  const { state, text } = await createFolderStorage('/dev/null/recordings').diagnose();
  assert.equal(state, 'wrong');
  assert.match(text, /^the folder \/dev\/null\/recordings fails: ENOTDIR.* Set RECORDINGS_DIR to a directory/);
  assert.equal((await createFolderStorage(path.join(dir, 'new/recordings')).diagnose()).state, 'ok');
  await assert.rejects(access(path.join(dir, 'new')));
});

test('the diagnosis tells of a store that is away, and of one that returns other bytes', async () => {
  const away = { ...S3_SETTINGS, endpoint: `http://127.0.0.1:${await freePort()}` };
  assert.match((await createS3Storage(away).diagnose()).text, /fails: nothing listens there/);
  const folder = createFolderStorage(path.join(dir, 'changing'));
  const read = async () => Readable.from([Buffer.from('other')]);
  const finding = await diagnoseStorage({ ...folder, read }, 'Replace it.');
  assert.equal(finding.state, 'wrong');
  assert.match(finding.text, /returns other bytes than it was given\. Replace it\.$/);
});

/** The real client, with a store in this process. */
async function storeThat(answer: RequestListener, more: Partial<S3Settings> = {}): Promise<Storage> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => answer(request, response));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  after(() => server.close());
  const { port } = server.address() as { port: number };
  return createS3Storage({ ...S3_SETTINGS, ...more, endpoint: `http://127.0.0.1:${port}` });
}

test('a store that says it has fewer bytes than it was given has not stored them', async () => {
  const storage = await storeThat(({ method }, response) => {
    if (method === 'HEAD') response.setHeader('content-length', 3);
    response.end();
  });
  await assert.rejects(storage.put('a/000000.ogg', Buffer.from('0123456789')), unavailable);
});

test('each object is put with the server-side encryption of the settings, which is signed; or with none', async () => {
  for (const encryption of ['AES256', 'aws:kms', null]) {
    const puts: IncomingHttpHeaders[] = [];
    const answer: RequestListener = ({ method, headers }, response) => {
      if (method === 'PUT') puts.push(headers);
      if (method === 'HEAD') response.setHeader('content-length', 10);
      response.end();
    };
    const storage = await storeThat(answer, { encryption });
    for (const key of ['a/000000.ogg', 'a/000001.ogg']) await storage.put(key, Buffer.from('0123456789'));
    const asked = puts.map((headers) => headers['x-amz-server-side-encryption'] ?? null);
    assert.deepEqual(asked, [encryption, encryption]);
    for (const { authorization = '' } of puts)
      assert.equal(/SignedHeaders=[^,]*x-amz-server-side-encryption/.test(authorization), encryption !== null);
  }
});

const listOf = (...keys: string[]) =>
  `<ListBucketResult>${keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}</ListBucketResult>`;

for (const [name, list] of [
  ['answers with a page of a proxy', '<html>Closed for maintenance</html>'],
  [
    'says that there is more, and lists nothing',
    '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>',
  ],
  ['still lists what it has deleted', listOf('a/000000.ogg', 'a/000001.ogg')],
] as const) {
  test(`a store that ${name} has not deleted a folder`, async () => {
    const storage = await storeThat(({ method }, response) => {
      if (method === 'DELETE') response.statusCode = 204;
      response.end(method === 'GET' ? list : '');
    });
    await assert.rejects(storage.removeAll('a'), unavailable);
  });
}

test('a store that lists a folder in parts has it deleted whole', async () => {
  const stored = ['a/000000.ogg', 'a/000001.ogg', 'a/000002.ogg'];
  const storage = await storeThat(({ method, url = '' }, response) => {
    if (method === 'DELETE') stored.splice(stored.indexOf(url.replace(/^\/[^/]+\//, '')), 1);
    response.end(method === 'GET' ? listOf(...stored.slice(0, 1)) : '');
  });
  await storage.removeAll('a');
  assert.deepEqual(stored, []);
});

test('a storage that cannot be read keeps nothing of its diagnosis', async (t) => {
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-'));
  t.after(() => rm(dir, { recursive: true }));
  const { diagnose: _, ...folder } = createFolderStorage(dir);
  const read = () => Promise.reject(new Error('not allowed'));
  const { state, text } = await diagnoseStorage({ ...folder, read }, 'Allow it.');
  assert.equal(state, 'wrong');
  assert.match(text, /fails: not allowed\. Allow it\./);
  assert.deepEqual(await readdir(dir), []);
});
