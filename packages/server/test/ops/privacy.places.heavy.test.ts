// The rows of the table of docs/privacy.md about places outside of the database, against the bytes that are there.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock, type TestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { SECRETS_KEY } from '@switchboard/testkit/keys.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { missingS3, startS3 } from '@switchboard/testkit/s3.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { copyTemplate } from '@switchboard/testkit/template.ts';
import { watchRooms } from '@switchboard/testkit/worker-jobs.ts';
import { sql } from 'kysely';
import { openDatabase } from '../../src/db/open.ts';
import { AppError } from '../../src/lib/errors.ts';
import type { SandboxMedia } from '../../src/providers/sandbox/media.ts';
import { createFolderStorage } from '../../src/providers/storage/folder.ts';
import { createS3Storage } from '../../src/providers/storage/s3.ts';
import type { Storage } from '../../src/providers/storage/storage.ts';
import { bytesIn, createSearch } from '../support/bytes.ts';
import { storedRows } from '../support/privacy-page.ts';
import { STATEMENTS } from '../support/privacy-places.ts';
import { findStored } from '../support/stored-text.ts';
import { tidy } from '../support/tidy.ts';
import { deliver, reportAsWorker, type Told } from '../support/worker-reports.ts';

const PHONE = '+15005550100';
const [SAID, ANSWER] = ['zebulon lives at 7 Elm Road', 'so it is Elm Road for zebulon'];
const [VARIABLE, METADATUM, TOOL] = ['a-variable', 'a-metadatum', 'a-tool-value'];
const SECRETS = [SAID, ANSWER, VARIABLE, METADATUM, TOOL, PHONE];
const DAY_MS = 24 * 3_600_000;

const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-places-'));
after(() => rm(dir, { recursive: true, force: true }));
/** The services of this file. */
const services: Service[] = [];

async function serve(options: Parameters<typeof startService<SandboxMedia>>[0] = {}): Promise<Service> {
  const service = await startService(options);
  services.push(service);
  return service;
}

/** A call that is answered, and the job of its worker. */
async function begin(service: Service, config: object = {}, fields: { callback_url?: string } = {}) {
  const rooms = watchRooms(service.media);
  const agent_id = await createAgent(service, { config });
  const data = { variables: { one: VARIABLE }, metadata: { one: METADATUM } };
  const { call_id, room_name } = await placeCall(service, PHONE, { agent_id, ...data, ...fields });
  await reaches(service, call_id, 'ANSWERED');
  return { call_id, room_name, metadata: rooms.get(room_name)?.agent_metadata ?? assert.fail('no job') };
}

/** The texts that are in the files of a folder, in whatever form. */
async function foundIn(folder: string, texts: readonly string[]): Promise<string[]> {
  const find = createSearch(texts);
  const found = [...(await bytesIn(folder)).values()].flatMap(find);
  return [...new Set(found.map(({ text }) => text))].sort();
}

const erase = (service: Service) => service.request('DELETE', `/api/users/${USER}`);

test('each row about a place outside of the database says what is checked here, and no row is left out', () => {
  const others = storedRows().filter(({ where }) => !/^`[a-z_]+`/.test(where));
  assert.deepEqual(Object.fromEntries(others.map(({ where, ...row }) => [where, row])), STATEMENTS);
});

/** A recording of two segments, in this storage, until it is stored. */
async function record(service: Service, clock: TestClock) {
  const { call_id } = await begin(service);
  const of = recorder(service, call_id);
  await of.report('recording');
  const segments = [segment(0, 4_000, 40_000), segment(1, 4_000, 40_000)];
  for (const one of segments) assert.equal((await of.add(one)).status, 201);
  await of.report('ended', { segments: 2 });
  await service.request('POST', `/api/calls/${call_id}/end`);
  await eventually(
    async () => {
      // An upload that a busy machine has interrupted is tried again after a while.
      clock.advance(5_000);
      await service.app.reconcile();
      return (await service.request('GET', `/api/calls/${call_id}/recordings`)).body.recordings[0].state;
    },
    (state) => state === 'stored',
  );
  return segments.map(({ bytes }) => bytes);
}

/** Whether any piece of the audio is in a file of the folder. */
async function isHeardIn(folder: string, audio: readonly Buffer[]): Promise<boolean> {
  const files = [...(await bytesIn(folder)).values()];
  const pieces = audio.flatMap((one) => [4, 10_000, 39_000].map((at) => one.subarray(at, at + 16)));
  return pieces.some((piece) => files.some((file) => file.includes(piece)));
}

const hasRow = async (service: Service) =>
  (await service.database.db.selectFrom('recordings').select('id').execute()).length > 0;

/** Checks the row about the storage, whose bytes are in `folder`. */
async function checkAudio(storage: Storage, folder: string, ...envs: Record<string, string>[]): Promise<void> {
  let refuses = false;
  const removeAll = async (key: string) => {
    if (refuses) throw new AppError('provider_unavailable');
    return storage.removeAll(key);
  };
  for (const env of envs) {
    const clock = createTestClock();
    const days = { RECORDING_RETENTION_DAYS: '1' };
    const service = await serve({ clock, storage: { ...storage, removeAll }, env: { ...days, ...env } });
    const erased = await record(service, clock);
    assert.equal(await isHeardIn(folder, erased), !('SECRETS_KEY' in env), 'encrypted only with SECRETS_KEY');
    const files = async () => [...(await bytesIn(folder)).keys()].filter((file) => file.endsWith('.ogg')).length;
    assert.equal(await files(), 2);
    refuses = true;
    assert.equal((await erase(service)).status, 503);
    assert.deepEqual([await hasRow(service), await files()], [true, 2], 'no row goes before its audio');
    refuses = false;
    await eventually(
      async () => {
        clock.advance(61_000);
        await service.app.reconcile();
        return (await erase(service)).status;
      },
      (status) => status === 200,
    );
    assert.deepEqual([await hasRow(service), await files()], [false, 0], 'an erasure deletes both');
    await record(service, clock);
    assert.equal(await files(), 2);
    clock.advance(2 * DAY_MS);
    await tidy(service);
    assert.equal(await files(), 0, 'the retention deletes audio at its age');
    await service.close();
  }
}

test('the folder has audio, encrypted with SECRETS_KEY, until retention or an erasure deletes it before the rows', () => {
  const folder = path.join(dir, 'recordings');
  return checkAudio(createFolderStorage(folder), folder, {}, { SECRETS_KEY });
});

const missing = missingS3();
test('so does the bucket', { skip: missing ?? false }, async () => {
  const folder = path.join(dir, 's3');
  const store = await startS3(folder);
  await checkAudio(createS3Storage(store.settings), folder, { SECRETS_KEY }).finally(store.kill);
});

/** Lines, a tool and audio of a call, as a worker reports them. */
function told(call: Awaited<ReturnType<typeof begin>>): Told {
  const audio = segment(0, 4_000, 40_000);
  const id = crypto.randomUUID();
  const report = { state: 'recording', channels: 'stereo', started_at: new Date().toISOString() } as const;
  return {
    metadata: call.metadata,
    lines: [
      ['USER', SAID],
      ['AGENT', ANSWER],
    ],
    tools: [{ note: TOOL }],
    recording: { id, report, segments: [audio.body] },
  };
}

test('a spool has what was said and audio until the service takes it, for its owner alone; refused reports stay in it', async () => {
  const service = await serve();
  const spoolDir = path.join(dir, 'spool');
  const first = told(await begin(service));
  await reportAsWorker({ spoolDir, calls: [first] });
  const audio = first.recording?.segments[0]?.audio ?? assert.fail();
  // In the spool audio is base64.
  const all = [SAID, ANSWER, TOOL, audio.slice(1_000, 1_100)].sort();
  assert.deepEqual(await foundIn(spoolDir, all), all);
  for (const file of (await bytesIn(spoolDir)).keys()) assert.equal((await stat(file)).mode & 0o077, 0, file);
  await deliver(service, spoolDir);
  assert.deepEqual(await foundIn(spoolDir, all), []);
  const taken = await findStored(service.database.db, [SAID, TOOL]);
  for (const one of [`transcripts: ${SAID}`, `tool_calls: ${TOOL}`]) assert.ok(taken.includes(one), one);

  await reportAsWorker({ spoolDir, calls: [told(await begin(service))] });
  assert.equal((await erase(service)).status, 200);
  await deliver(service, spoolDir);
  assert.deepEqual(await findStored(service.database.db, [...SECRETS, USER]), [], 'refused after the erasure');
  assert.deepEqual(await foundIn(path.join(spoolDir, 'refused'), [SAID, TOOL]), [TOOL, SAID]);
});

test('the spool and the log of a worker have what was said: redacted if the agent redacts, the log from debug on', async () => {
  const service = await serve();
  const privacy = { redact: [], custom: [{ name: 'where', pattern: `${SAID}|${ANSWER}` }] };
  const [plain, redacting] = [told(await begin(service)), told(await begin(service, { privacy }))];
  const [all, kept] = [[ANSWER, SAID].sort(), ['[where]']];
  for (const [logLevel, isTerminal, call, expected] of [
    ['info', false, plain, []],
    ['info', false, redacting, []],
    ['debug', false, plain, all],
    ['trace', false, plain, all],
    ['debug', false, redacting, kept],
    ['trace', false, redacting, kept],
    // The library logs each answer at the level info.
    ['info', true, redacting, [ANSWER]],
    ['debug', true, redacting, all],
  ] as const) {
    const spoolDir = path.join(dir, `spool-${logLevel}-${isTerminal}-${call === plain}`);
    const log = await reportAsWorker({ spoolDir, logLevel, isTerminal, calls: [call] });
    assert.ok(log.includes(JSON.parse(call.metadata).session_id), log);
    const found = [...SECRETS, ...kept].filter((text) => log.includes(text)).sort();
    assert.deepEqual(found, expected, `${logLevel}, terminal: ${isTerminal}: ${log}`);
    assert.deepEqual(await foundIn(spoolDir, [...all, ...kept]), call === plain ? all : kept);
  }
  const spoolDir = path.join(dir, 'spool-chat');
  for (const [logLevel, expected] of [
    ['info', []],
    ['debug', [ANSWER]],
  ] as const) {
    const chat = { content: SAID, answer: ANSWER, config: { privacy } };
    const log = await reportAsWorker({ spoolDir, logLevel, calls: [], chat });
    const found = [...SECRETS, ...kept].filter((text) => log.includes(text)).sort();
    assert.deepEqual(found, expected, `a chat, ${logLevel}: ${log}`);
  }
});

test('a backup has everything of its day: an erasure does not reach it, and is repeated after restoring it', async () => {
  const [data, backup] = [path.join(dir, 'data'), path.join(dir, 'backup')];
  await copyTemplate(data);
  /** A service on the embedded database in a folder, which is stopped afterwards. */
  async function on<T>(folder: string, work: (service: Service) => Promise<T>): Promise<T> {
    const database = await openDatabase({ dir: folder, poolMax: 10, onIdleError: () => {} });
    const service = await serve({ database });
    return work(service)
      .finally(() => service.close())
      .finally(() => database.close());
  }
  const remains = (service: Service) => findStored(service.database.db, [...SECRETS, USER]);
  await on(data, async (service) => {
    const spoolDir = path.join(dir, 'spool-backup');
    await reportAsWorker({ spoolDir, calls: [told(await begin(service))] });
    await deliver(service, spoolDir);
  });
  // As docs/operations.md says.
  await cp(data, backup, { recursive: true });
  await on(data, async (service) => {
    assert.equal((await erase(service)).status, 200);
    assert.deepEqual(await remains(service), []);
  });
  assert.deepEqual(await foundIn(backup, SECRETS), SECRETS.toSorted());
  await on(backup, async (service) => {
    const found = new Set((await remains(service)).map((one) => one.slice(one.indexOf(': ') + 2)));
    assert.deepEqual([...found].sort(), [...SECRETS, USER].sort());
    assert.equal((await erase(service)).status, 200);
    assert.deepEqual(await remains(service), []);
  });
});

test('a month of transcripts that was detached has what was said, and an erasure does not reach it', async () => {
  const service = await serve();
  const { db } = service.database;
  const spoolDir = path.join(dir, 'spool-detached');
  await reportAsWorker({ spoolDir, calls: [told(await begin(service))] });
  await deliver(service, spoolDir);
  const stored = sql<{ month: string }>`select distinct tableoid::regclass::text as month from transcripts`;
  const [{ month }] = (await stored.execute(db)).rows as [{ month: string }];
  await sql`alter table transcripts detach partition ${sql.table(month)}`.execute(db);
  assert.equal((await erase(service)).status, 200);
  assert.deepEqual(
    (await findStored(db, [...SECRETS, USER])).sort(),
    [`${month}: ${ANSWER}`, `${month}: ${SAID}`].sort(),
  );
});

// Last: it reads what the services of all tests above have logged, at the level `trace`.
test('the log of the service has ids, never content, and an erasure does not reach it', async () => {
  const receiver = await startReceiver();
  receiver.answerWith = () => 500;
  const service = await serve();
  const { call_id } = await begin(service, {}, { callback_url: receiver.url });
  const log = () => services.map((one) => one.logged().join('\n')).join('\n');
  await eventually(
    async () => log(),
    (text) => text.includes(call_id),
  );
  assert.equal((await erase(service)).status, 200);
  assert.ok(log().includes(call_id));
  assert.deepEqual(createSearch([...SECRETS, PHONE.slice(1)])(Buffer.from(log())), []);
});
