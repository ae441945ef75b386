import assert from 'node:assert/strict';
import { readdir, rename, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startProgram } from '@switchboard/testkit/program.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createSwitchboard, type Session } from '../src/index.ts';
import { openOutbox } from '../src/outbox/index.ts';
import { startGuarded } from './support/guarded.ts';
import { answer, type Fault, loseAnswer, loseFirstAnswers, setUpOutbox } from './support/outbox.ts';
import { quantities, usageEvent } from './support/requests.ts';

const service = await startService();
const sb = createSwitchboard({ baseUrl: service.url });
const DAY_MS = 24 * 60 * 60_000;

const setUp = (t: TestContext, faults?: Fault[] | Fault) => setUpOutbox(t, service, faults);
const contents = async ({ id }: Session) => (await sb.sessions.transcripts(id).toArray()).map(({ content }) => content);

test('reports arrive in their order, once each, although the first answer to each is lost', async (t) => {
  const { outbox, session, start, empty, seen } = await setUp(t, loseFirstAnswers());
  const lane = outbox.lane('call-1');
  const before = Date.now();
  for (const content of ['one', 'two', 'three']) await lane.transcript(session.room_name, { content });
  for (const quantity of ['1', '2', '3']) await lane.usage(usageEvent(session, quantity));
  const over = { kind: 'llm', from: 'openai/a', to: 'groq/b', reason: 'timeout' } as const;
  await lane.failedOver(session.id, over);
  await lane.end(session.room_name);
  await sleep(50);
  const putIn = Date.now();
  start();
  await empty();
  assert.equal(seen.length, 12, 'the three events are one request');
  const entries = service.database.db.selectFrom('session_events').select('failed_over');
  const shown = await entries.where('session_id', '=', session.id).where('failed_over', 'is not', null).execute();
  assert.deepEqual(shown, [{ failed_over: over }]);
  assert.deepEqual(await contents(session), ['one', 'two', 'three']);
  assert.deepEqual(await quantities(sb, session), ['1', '2', '3']);
  assert.equal((await sb.sessions.get(session.id)).status, 'COMPLETED');
  for (const { timestamp } of await sb.sessions.transcripts(session.id).toArray())
    assert.ok(Date.parse(timestamp) >= before && Date.parse(timestamp) < putIn, 'the time it was said, not sent');
});

test('an event without its costs gets the price of the service, and one that an earlier version left is sent', async (t) => {
  const { dir, outbox, session, start, empty } = await setUp(t);
  const price = {
    provider: 'priced',
    event_type: 'llm_output_tokens',
    price: '0.5',
    valid_from: '2026-01-01',
  } as const;
  await sb.prices.put({ entries: [price] });
  const { unit_cost: _, total_cost: __, ...event } = usageEvent(session, '3');
  await outbox.lane('new').usage({ ...event, provider: 'priced', event_type: 'llm_output_tokens', model: 'gpt' });
  const item = { operation: 'logUsageEvent', args: [], body: usageEvent(session, '1') };
  await writeFile(path.join(dir, `old.000000000000.${crypto.randomUUID()}.json`), JSON.stringify(item));
  start();
  await empty();
  const { total_cost } = await sb.forUser(session.user_id).sessions.costs(session.id);
  assert.equal(total_cost, '1.75');
});

test('a permanently refused item is put aside and logged, and the next one is sent', async (t) => {
  const { dir, outbox, session, start, empty, errors, seen } = await setUp(t);
  const lane = outbox.lane('call-1');
  await lane.usage({ ...usageEvent(session, '1'), quantity: 'many' });
  await lane.transcript('no-such-room', { content: 'hello' });
  await lane.end('..');
  await writeFile(path.join(dir, `call-1.000000000003.${crypto.randomUUID()}.json`), '{"operation": "logUs');
  await lane.usage(usageEvent(session, '2'));
  start();
  await empty();
  assert.deepEqual(await quantities(sb, session), ['2']);
  assert.equal((await readdir(path.join(dir, 'refused'))).length, 4);
  assert.equal(errors.length, 4);
  assert.equal(seen.length, 4, 'the usage together, then each event, and the transcript');
});

test('reports that a person or time can repair are kept', async (t) => {
  const faults = [
    answer(401, 'unauthenticated'),
    answer(403, 'role_not_allowed'),
    answer(404, 'route_not_found'),
    answer(409, 'idempotency_in_progress'),
    answer(503, 'database_full'),
    answer(500, 'internal_error'),
    answer(429, 'too_many_requests', { 'retry-after': '1' }),
  ];
  const { dir, outbox, session, start, empty, seen } = await setUp(t, faults);
  await outbox.lane('call-1').usage(usageEvent(session, '1'));
  start();
  await empty();
  assert.equal(seen.length, 8);
  assert.equal(new Set(seen.map(({ key }) => key)).size, 1);
  assert.ok((seen[7]?.at ?? 0) - (seen[6]?.at ?? 0) >= 990);
  assert.deepEqual(await readdir(path.join(dir, 'refused')), []);
  assert.deepEqual(await quantities(sb, session), ['1']);
});

test('a worker with a key of its role may send all of it', async (t) => {
  const { guarded, worker, owner, session } = await startGuarded();
  const { outbox, empty, dir } = await setUp(t);
  const lane = outbox.lane('call-1');
  await lane.transcript(session.room_name, { content: 'hello' });
  await lane.usage(usageEvent(session, '1'));
  await lane.end(session.room_name);
  const client = createSwitchboard({ baseUrl: guarded.url, apiKey: worker.key });
  const delivery = outbox.deliver({ client, log: { warn: () => {}, error: () => {} }, pollMs: 5 });
  t.after(() => delivery.stop(0));
  await empty();
  await delivery.stop(0);
  assert.deepEqual(await readdir(path.join(dir, 'refused')), []);
  assert.equal((await owner.forUser('user-1').sessions.get(session.id)).status, 'COMPLETED');
});

test('a lane that is stuck holds up no other', async (t) => {
  const { outbox, session, start } = await setUp(t);
  await outbox.lane('stuck').transcript(session.room_name, { content: 'one' });
  const away = start(`http://127.0.0.1:${await freePort()}`);
  await sleep(50);
  await away.stop(0);
  await outbox.lane('other').usage(usageEvent(session, '2'));
  const refuse: Fault = async (request) =>
    request.url.endsWith('/transcripts') ? new Response('', { status: 503 }) : fetch(request);
  const client = createSwitchboard({ baseUrl: service.url, fetch: refuse });
  const delivery = outbox.deliver({ client, log: { warn: () => {}, error: () => {} }, pollMs: 5 });
  t.after(() => delivery.stop(0));
  await eventually(outbox.waiting, (count) => count === 1);
  assert.deepEqual(await quantities(sb, session), ['2']);
});

test('items left by a worker are sent by the next one, in order, with their original keys', async (t) => {
  const { dir, outbox, session, start, seen, empty } = await setUp(t, [
    answer(429, 'too_many_requests', { 'retry-after': '60' }),
  ]);
  await outbox.lane('call-1').transcript(session.room_name, { content: 'one' });
  const first = start();
  await eventually(
    async () => seen.length,
    (count) => count === 1,
  );
  await first.stop(0);
  const next = await openOutbox(dir);
  await next.lane('call-1').transcript(session.room_name, { content: 'two' });
  assert.equal(await next.waiting(), 2);
  await start().stop(60_000);
  await empty();
  assert.equal(seen[0]?.key, seen[1]?.key);
  assert.deepEqual(await contents(session), ['one', 'two']);
});

test('an item that may have arrived a day ago is not sent again but set aside for a person; an end of a session is sent', async (t) => {
  const { dir, outbox, session, start, empty, errors, files } = await setUp(t, [loseAnswer]);
  await outbox.lane('call-1').usage(usageEvent(session, '1'));
  await outbox.lane('call-2').end(session.room_name);
  for (const name of await files())
    await rename(path.join(dir, name), path.join(dir, name.replace('.json', `.${Date.now() - DAY_MS}.json`)));
  start();
  await empty();
  assert.match(errors.join(), /may have arrived a day ago/);
  assert.equal((await readdir(path.join(dir, 'uncertain'))).length, 1);
  assert.deepEqual(await quantities(sb, session), []);
  assert.equal((await sb.sessions.get(session.id)).status, 'COMPLETED');
});

test('a service that could not be reached leaves no doubt: the item is sent however late', async (t) => {
  const { outbox, session, files } = await setUp(t);
  await outbox.lane('call-1').usage(usageEvent(session, '1'));
  const [name] = await files();
  const failed = Promise.withResolvers<void>();
  const away = outbox.deliver({
    client: createSwitchboard({ baseUrl: `http://127.0.0.1:${await freePort()}` }),
    log: { warn: () => failed.resolve(), error: () => {} },
    firstPauseMs: 60_000,
  });
  await failed.promise;
  await away.stop(0);
  const isMarked = async () => (await files())[0] !== name;
  assert.equal(await isMarked(), false);
  const lossy = createSwitchboard({ baseUrl: service.url, fetch: loseAnswer });
  const delivery = outbox.deliver({ client: lossy, log: { warn: () => {}, error: () => {} }, firstPauseMs: 60_000 });
  t.after(() => delivery.stop(0));
  await eventually(isMarked, (marked) => marked);
  await delivery.stop(0);
  assert.equal(await isMarked(), true, 'it may have arrived');
});

test('files are for the owner alone, and half-written ones of old are cleared away', async (t) => {
  const { dir, outbox, session, start, files } = await setUp(t);
  const old = path.join(dir, 'call-1.000000000000.x.json.part');
  await writeFile(old, '{');
  await utimes(old, 0, 0);
  await writeFile(path.join(dir, 'young.json.part'), '{');
  start();
  await eventually(files, (names) => names.length === 1);
  await outbox.lane('call-1').usage(usageEvent(session, '1'));
  assert.throws(() => outbox.lane('../elsewhere'), /a lane is named by/);
  assert.throws(() => outbox.lane(''), TypeError);
});

test('each report that is on the disk is booked once, although the worker is killed at any moment', async (t) => {
  const { dir, session, start, empty, errors } = await setUp(t);
  const written: number[] = [];
  for (let round = 0; round < 6; round++) {
    const program = path.resolve(import.meta.dirname, 'support/outbox-process.ts');
    const args = [dir, service.url, JSON.stringify(session), String(round * 100_000)];
    const worker = startProgram([process.execPath, program, ...args], {});
    await worker.until((output) => /^\d+\n/m.test(output));
    await sleep(Math.random() * 300);
    await worker.end('SIGKILL');
    assert.doesNotMatch(worker.output(), /error/);
    written.push(
      ...(worker
        .output()
        .match(/^\d+(?=\n)/gm)
        ?.map(Number) ?? []),
    );
  }
  start();
  await empty();
  assert.deepEqual(
    errors.filter((text) => !/refused an item/.test(text)),
    [],
  );
  const [booked, said] = [(await quantities(sb, session)).map(Number), (await contents(session)).map(Number)];
  for (const list of [booked, said]) {
    assert.equal(new Set(list).size, list.length, 'no report is booked twice');
    assert.deepEqual(
      written.filter((number) => !list.includes(number)),
      [],
      'no report is lost',
    );
    assert.deepEqual(
      list,
      list.toSorted((a, b) => a - b),
      'in order',
    );
  }
  assert.ok(written.length > 20, `${written.length} were written`);
});
