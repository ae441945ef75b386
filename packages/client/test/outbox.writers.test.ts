// Writing reports while the disk fails. No service is needed: a stand-in takes what is sent.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { createSwitchboard } from '../src/index.ts';
import { createBatches } from '../src/outbox/batches.ts';
import { type Item, type ItemName, nameOf, openFiles } from '../src/outbox/files.ts';
import { openOutbox } from '../src/outbox/index.ts';
import { createWriters } from '../src/outbox/writers.ts';

const log = { warn: () => {}, error: () => {} };
const event = {
  session_id: 's',
  user_id: 'u',
  provider: 'p',
  event_type: 'llm_tokens' as const,
  quantity: '1',
  unit_cost: '0.25',
  total_cost: '0.25',
};
const segment = { seq: 0, from_ms: 0, to_ms: 3_000, audio: 'AAAA', sha256: '0'.repeat(64), levels: '' };
const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
const itemOf = (name: string): Item => ({ operation: 'addTranscript', args: ['room'], body: { content: name } });
const contentOf = ({ body }: Item) => (body as { content: string }).content;

async function setUp(t: TestContext) {
  const dir = path.join(await mkdtemp(path.join(tmpdir(), 'switchboard-outbox-')), 'spool');
  t.after(() => rm(path.dirname(dir), { recursive: true }));
  const outbox = await openOutbox(dir);
  const files = await openFiles(dir);
  const items = async () => Promise.all((await files.list()).map(async (name) => files.read(name)));
  /** The folder disappears, so that nothing in it can be read or written, until the returned function is called. */
  async function breakDisk(): Promise<() => Promise<void>> {
    await rename(dir, `${dir}.away`);
    return () => rename(`${dir}.away`, dir);
  }
  return { dir, outbox, files, items, breakDisk };
}

test('what cannot be written is kept, and is written in order once the disk is well again', async (t) => {
  const { outbox, items, breakDisk } = await setUp(t);
  const warnings: string[] = [];
  const lane = outbox.lane('call-1', { warn: (_about, text) => warnings.push(text) });
  await lane.transcript('room', { content: 'before' });
  const mend = await breakDisk();
  const written = [
    lane.transcript('room', { content: 'one' }),
    lane.usage(event),
    lane.outcome('s', { answered_by: 'human' }),
    lane.end('room'),
  ];
  await eventually(
    async () => warnings,
    ({ length }) => length === 2,
  );
  await mend();
  await lane.settled();
  await Promise.all(written);
  const operations = (await items()).map(({ operation }) => operation);
  const talk = ['addTranscript', 'addTranscript', 'reportCallOutcome', 'endSessionByRoom'];
  assert.deepEqual(operations, [...talk, 'logUsageEvents']);
  assert.deepEqual(new Set(warnings), new Set(['writing to the outbox failed; it is tried again']));
});

test('an item is tried again under its name, and not written again once it has it', async (t) => {
  const { files } = await setUp(t);
  const stored: string[] = [];
  let failures = 0;
  const writers = createWriters(
    {
      ...files,
      store: async (name, text) => {
        stored.push(name.file);
        if (failures++ === 0) throw full();
        await files.store(name, text);
      },
      flush: async () => {
        if (failures++ > 2) return files.flush();
        // Meanwhile the delivery sends it.
        for (const name of await files.list()) await files.remove(name);
        throw full();
      },
    },
    { pauseMs: 1 },
  );
  await writers.open('call-1').put(itemOf('one'));
  assert.equal(stored.length, 2);
  assert.equal(stored[0], stored[1]);
  assert.deepEqual(await files.list(), [], 'it would be booked twice');
});

test('a disk that keeps failing does not hold up the end, and what is left is given up', async (t) => {
  const { files, items } = await setUp(t);
  let isFull = true;
  const store: typeof files.store = async (name, text) => {
    if (isFull) throw full();
    await files.store(name, text);
  };
  const writers = createWriters({ ...files, store }, { pauseMs: 5, lastMs: 50 });
  const writer = writers.open('call-1');
  const lost = [writer.put(itemOf('one')), writer.put(itemOf('two'))].map((one) => assert.rejects(one, /no space/));
  const startedAt = performance.now();
  await writers.settled();
  const took = performance.now() - startedAt;
  assert.ok(took >= 50 && took < 10_000, `${took} ms`);
  await Promise.all(lost);
  const kept = writer.put(itemOf('three'));
  isFull = false;
  await kept;
  assert.deepEqual((await items()).map(contentOf), ['three']);
});

test('while the disk fails so many bytes of all lanes are kept, the newest', async (t) => {
  const { files, items } = await setUp(t);
  let isFull = true;
  const store: typeof files.store = async (name, text) => {
    if (isFull) throw full();
    await files.store(name, text);
  };
  const size = JSON.stringify(itemOf('0')).length;
  const writers = createWriters({ ...files, store, list: async () => [] }, { pauseMs: 5, maxWaiting: 3 * size });
  const [one, other] = [writers.open('call-1'), writers.open('call-2')];
  const lost = ['0', '1', '2'].map((name) => one.put(itemOf(name)));
  const kept = ['3', '4'].map((name) => one.put(itemOf(name)));
  kept.push(other.put(itemOf('5')));
  for (const written of lost) await assert.rejects(written, /no space/);
  isFull = false;
  await Promise.all(kept);
  assert.deepEqual((await items()).map(contentOf), ['3', '4', '5']);
});

test('audio is tried once, because whoever records keeps it; the end of a recording is tried again', async (t) => {
  const { outbox, items, breakDisk } = await setUp(t);
  const lane = outbox.lane('call-1');
  const mend = await breakDisk();
  const begin = { state: 'recording', started_at: new Date().toISOString(), channels: 'stereo' } as const;
  const startedAt = performance.now();
  await assert.rejects(lane.recording('s', 'r', begin), { code: 'ENOENT' });
  await assert.rejects(lane.segment('s', 'r', segment), { code: 'ENOENT' });
  const ended = lane.recording('s', 'r', { ...begin, state: 'ended', segments: 0 });
  await assert.rejects(lane.segment('s', 'r', segment), { code: 'ENOENT' }, 'also behind one that is tried again');
  const took = performance.now() - startedAt;
  assert.ok(took < 2_500, `${took} ms`);
  await mend();
  await lane.settled();
  assert.deepEqual(
    (await items()).map(({ body }) => (body as { state: string }).state),
    ['ended'],
  );
  await ended;
});

test('an item that is no JSON is refused at once, and holds up no other', async (t) => {
  const { files, items } = await setUp(t);
  const writer = createWriters(files).open('call-1');
  const [bad, good] = [writer.put({ ...itemOf('bad'), body: 1n }), writer.put(itemOf('good'))];
  await assert.rejects(bad, TypeError);
  await good;
  assert.deepEqual((await items()).map(contentOf), ['good']);
});

/** Names of a lane's items, as many as a backlog of days has. */
const backlog = (lane: string): ItemName[] =>
  Array.from({ length: 200_000 }, (_, place) =>
    nameOf(lane, { place, key: `${String(place).padStart(8, '0')}-0000-4000-8000-000000000000` }),
  );

test('behind 200,000 items that wait, and beside those of others, another is written', async (t) => {
  const { files } = await setUp(t);
  const names = [...backlog('call-1'), nameOf('call-2', { place: 300_000, key: crypto.randomUUID() })];
  const writer = createWriters({ ...files, list: async () => names }, { lastMs: 0 }).open('call-1');
  const written = [writer.put(itemOf('one')), writer.put(itemOf('two'))];
  await Promise.all([writer.settled(), ...written]);
  assert.deepEqual(
    (await files.list()).map(({ place }) => place),
    [200_000, 200_001],
  );
});

test('of 200,000 events that wait, the first thousand become one request', async () => {
  const names = backlog('usage');
  const first = names.shift();
  assert.ok(first);
  const item: Item = { operation: 'logUsageEvents', args: [], body: { events: [event] } };
  const nothing = async () => {};
  const files = { read: async () => item, put: nothing, remove: nothing, flush: nothing };
  const whole = await createBatches(files as never).gather(first, item, names);
  assert.equal((whole.body as { events: object[] }).events.length, 1_000);
  assert.deepEqual([names.length, names[0]?.place, names.at(-1)?.place], [199_000, 1_000, 199_999]);
});

/** A client whose service takes everything, once it may. */
function standIn(mayAnswer: Promise<void> = Promise.resolve()) {
  const bodies: string[] = [];
  const client = createSwitchboard({
    baseUrl: 'http://127.0.0.1:1',
    fetch: async (request) => {
      const body = await request.text();
      await Promise.race([
        mayAnswer,
        new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason))),
      ]);
      bodies.push(body);
      return Response.json({ events: JSON.parse(body).events }, { status: 201 });
    },
  });
  return { client, bodies };
}

test('a delivery that is stopped also waits for what is still being written', async (t) => {
  const { dir, outbox, breakDisk } = await setUp(t);
  const { client, bodies } = standIn();
  const delivery = outbox.deliver({ client, log, pollMs: 5 });
  // It has locked the folder.
  await eventually(
    () => readdir(dir),
    (names) => names.includes('lock'),
  );
  void outbox.lane('call-1').usage(event);
  await delivery.stop(60_000);
  assert.equal(bodies.length, 1);

  const next = outbox.deliver({ client, log, pollMs: 5 });
  const mend = await breakDisk();
  void outbox.lane('call-2').usage({ ...event, quantity: '2' });
  const stopped = next.stop(60_000);
  await sleep(100);
  await mend();
  await stopped;
  assert.match(bodies[1] ?? '', /"quantity":"2"/);
});

test('a clock that is set forward does not cut a delivery short', async (t) => {
  const { outbox } = await setUp(t);
  const mayAnswer = Promise.withResolvers<void>();
  const { client, bodies } = standIn(mayAnswer.promise);
  await outbox.lane('call-1').usage(event);
  const delivery = outbox.deliver({ client, log, pollMs: 5 });
  const stopped = delivery.stop(60_000);
  await sleep(50);
  const now = Date.now();
  t.mock.method(Date, 'now', () => now + 60 * 60_000);
  setTimeout(mayAnswer.resolve, 200);
  await stopped;
  t.mock.restoreAll();
  assert.equal(bodies.length, 1);
  assert.equal(await outbox.waiting(), 0);
});

test('a delivery can be stopped while the disk fails, and another takes over once it is well again', async (t) => {
  const { dir, outbox, breakDisk } = await setUp(t);
  const { client, bodies } = standIn();
  const first = outbox.deliver({ client, log, pollMs: 5 });
  await eventually(
    () => readdir(dir),
    (names) => names.includes('lock'),
  );
  const mend = await breakDisk();
  await first.stop(100);
  await mend();
  await outbox.lane('call-1').usage(event);
  const second = outbox.deliver({ client, log, pollMs: 5 });
  await eventually(outbox.waiting, (count) => count === 0);
  await second.stop(0);
  assert.equal(bodies.length, 1);
});
