import assert from 'node:assert/strict';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { startProgram } from '@switchboard/testkit/program.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createSwitchboard, type Session } from '../src/index.ts';
import { openOutbox } from '../src/outbox/index.ts';
import { answer, type Fault, setUpOutbox } from './support/outbox.ts';
import { quantities, usageEvent } from './support/requests.ts';
import spool from './support/spool-of-0.1.json' with { type: 'json' };

const service = await startService();
const sb = createSwitchboard({ baseUrl: service.url });
const OUTBOX_PROCESS = path.join(import.meta.dirname, 'support/outbox-process.ts');
const contents = async ({ id }: Session) => (await sb.sessions.transcripts(id).toArray()).map(({ content }) => content);

test('a folder that version 0.1 left, killed in the middle of a batch, is sent: each report once, in order', async (t) => {
  const { dir, outbox, start, seen } = await setUpOutbox(t, service);
  const session = await sb.sessions.create({ user_id: 'user-1', room_name: 'room-1' });
  await mkdir(path.join(dir, 'refused'), { recursive: true });
  // Their first attempts were a moment ago.
  for (const [name, content] of Object.entries(spool))
    await writeFile(path.join(dir, name.replace(/\.\d{13}\.json$/, `.${Date.now()}.json`)), content);
  assert.deepEqual(await outbox.counts(), { waiting: 11, failing: 1, refused: 1, uncertain: 0 });
  start();
  await eventually(outbox.waiting, (count) => count === 0);
  const booked = async (user: string) =>
    (await sb.forUser(user).usage.list({ limit: 100 }).toArray()).map(({ quantity }) => quantity);
  assert.deepEqual(await booked('user-0'), ['7']);
  assert.deepEqual(await booked('user-a'), ['1', '2', '3']);
  assert.deepEqual(await booked('user-b'), ['1', '3', '4']);
  assert.deepEqual(await booked('user-c'), ['2']);
  assert.deepEqual(await contents(session), ['one', 'two', 'three']);
  assert.equal((await sb.sessions.get(session.id)).status, 'COMPLETED');
  assert.deepEqual(await outbox.counts(), { waiting: 0, failing: 0, refused: 2, uncertain: 0 });
  const keys = Object.entries(spool).flatMap(([name, content]) =>
    /addTranscript|logUsageEvent"/.test(content) ? (name.split('.')[2] ?? []) : [],
  );
  assert.equal(keys.length, 4);
  for (const key of keys)
    assert.ok(
      seen.some((one) => one.key === key),
      `${key} was sent under its own key`,
    );
});

test('a key that is refused for long, while other lanes have theirs, sets nothing aside', async (t) => {
  let [isMended, attempts] = [false, 0];
  const fault: Fault = async (request) => {
    const isIt = (await request.clone().text()).includes('locked');
    if (!isIt || isMended) return fetch(request);
    attempts++;
    return answer(401, 'unauthenticated')(request);
  };
  const { outbox, session, start, empty, errors } = await setUpOutbox(t, service, fault);
  for (const content of ['locked 1', 'locked 2', 'locked 3'])
    await outbox.lane('call-1').transcript(session.room_name, { content });
  start();
  for (let count = 0; count < 60; count++) {
    await outbox.lane('call-2').transcript(session.room_name, { content: `taken ${count}` });
    await eventually(
      async () => attempts,
      (seen) => seen > count,
    );
  }
  assert.deepEqual((await outbox.counts()).refused, 0);
  isMended = true;
  await empty();
  const locked = (await contents(session)).filter((content) => content.startsWith('locked'));
  assert.deepEqual(locked, ['locked 1', 'locked 2', 'locked 3']);
  assert.deepEqual(errors, []);
});

test('of several processes that deliver from one folder one does, and each event is booked once', async (t) => {
  const { dir, outbox, session, start, empty, errors } = await setUpOutbox(t, service);
  const other = await openOutbox(dir);
  const numbers = Array.from({ length: 60 }, (_, index) => String(index + 1));
  for (let count = 0; count < 3; count++) start();
  await Promise.all(
    numbers.map((number, index) =>
      (index % 2 ? outbox : other).lane(`call-${index % 3}`).usage(usageEvent(session, number)),
    ),
  );
  await empty();
  assert.deepEqual(
    (await quantities(sb, session)).sort((a, b) => Number(a) - Number(b)),
    numbers,
  );
  assert.deepEqual(await outbox.counts(), { waiting: 0, failing: 0, refused: 0, uncertain: 0 });
  assert.deepEqual(errors, []);
});

test('a process that waits to deliver takes over when the one that delivers is killed, and not before', async (t) => {
  const { dir, session, start, empty, seen, warnings } = await setUpOutbox(t, service);
  // The first one is paused, then killed, in the middle of an attempt.
  const asked = Promise.withResolvers<void>();
  const silent = await serveHttp(() => asked.resolve());
  t.after(silent.close);
  const worker = startProgram([process.execPath, OUTBOX_PROCESS, dir, silent.url, JSON.stringify(session), '1'], {});
  t.after(() => worker.end('SIGKILL'));
  await Promise.all([asked.promise, worker.until((output) => /^7\n/m.test(output))]);
  worker.child.kill('SIGSTOP');
  start();
  await eventually(
    async () => warnings,
    ([warning]) => /another process delivers/.test(warning ?? ''),
  );
  assert.deepEqual(seen, [], 'a paused process keeps the lock');
  await worker.end('SIGKILL');
  await empty();
  const booked = await quantities(sb, session);
  assert.equal(new Set(booked).size, booked.length, 'no event is booked twice');
  const written = worker.output().match(/^\d+$/gm) ?? [];
  assert.deepEqual(
    written.filter((number) => !booked.includes(number)),
    [],
    'no event is lost',
  );
});

test('while the folder cannot be locked nothing is sent or lost, and that is logged once', async (t) => {
  const { dir, outbox, session, start, empty, seen, errors } = await setUpOutbox(t, service);
  // SQLite can no more open a directory than lock a file on a file system without locks.
  await mkdir(path.join(dir, 'lock'));
  start();
  await outbox.lane('call-1').usage(usageEvent(session, '1'));
  await eventually(
    async () => errors,
    ([error]) => error === 'the outbox cannot be locked, so nothing is sent',
  );
  assert.deepEqual(seen, []);
  await rmdir(path.join(dir, 'lock'));
  await empty();
  assert.deepEqual(await quantities(sb, session), ['1']);
  assert.equal(errors.length, 1);
});
