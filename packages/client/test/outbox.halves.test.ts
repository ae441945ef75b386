import assert from 'node:assert/strict';
import { readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createSwitchboard } from '../src/index.ts';
import { answer, type Fault, loseAnswer, setUpOutbox } from './support/outbox.ts';
import { quantities, usageEvent } from './support/requests.ts';

const service = await startService();
const sb = createSwitchboard({ baseUrl: service.url });
const DAY_MS = 24 * 60 * 60_000;
const internalError = answer(500, 'internal_error');
const numbers = ['1', '2', '3', '4', '5', '6', '7', '8'];

/** An outbox with eight events of one user. */
async function setUp(t: TestContext, faults: Fault[] | Fault) {
  const parts = await setUpOutbox(t, service, faults);
  const lane = parts.outbox.lane('call-1');
  for (const quantity of numbers) await lane.usage(usageEvent(parts.session, quantity));
  /** Waits until so many requests were sent. */
  const sent = (count: number) =>
    eventually(
      async () => parts.seen.length,
      (seen) => seen >= count,
    );
  return { ...parts, lane, sent };
}
const sayOk: Fault = async () => new Response('{"status":"ok"}');
const failures = (count: number): Fault[] => Array.from({ length: count }, () => internalError);

for (const [what, faults] of [
  ['a batch whose answer is lost', [loseAnswer, ...failures(40)]],
  // The fifth request asks whether the first four have arrived, and the sixth has the first half.
  ['a batch whose key is used up without an answer', [...failures(4), loseAnswer, ...failures(30)]],
  ['a half whose answer is lost', [...failures(4), fetch, loseAnswer, ...failures(30)]],
  // The fifth request asks whether the first has arrived.
  ['a batch that arrived, although a proxy says 200 to the empty one', [loseAnswer, ...failures(3), sayOk]],
] as const)
  test(`${what} is booked once, however long the service fails afterwards`, async (t) => {
    const { outbox, session, start, empty, errors, seen } = await setUp(t, [...faults]);
    start();
    await empty();
    assert.ok(seen.length > faults.length);
    assert.deepEqual(await quantities(sb, session), numbers);
    assert.deepEqual(await outbox.counts(), { waiting: 0, failing: 0, refused: 0, uncertain: 0 });
    assert.deepEqual(errors, []);
  });

test('no batch is divided before the service has said that it has not arrived', async (t) => {
  const { outbox, start, seen, sent } = await setUp(t, internalError);
  start();
  await sent(20);
  assert.equal(new Set(seen.map(({ key }) => key)).size, 1);
  assert.equal(await outbox.waiting(), 1);
});

test('a service that refuses empty batches does not block other events, and none is booked twice', async (t) => {
  let isMended = false;
  const fault: Fault = async (request) => {
    const body = await request.clone().text();
    if (body.includes('"events":[]')) return fetch(new Request(request, { body: '{}' }));
    return !isMended && body.includes('"quantity":"1"') ? internalError(request) : fetch(request);
  };
  const { outbox, session, lane, start, empty, errors, sent } = await setUp(t, fault);
  start();
  await sent(8);
  await lane.usage(usageEvent(session, '9'));
  await eventually(
    () => quantities(sb, session),
    (booked) => booked.length === 1,
  );
  isMended = true;
  await empty();
  assert.deepEqual(await quantities(sb, session), ['9', ...numbers]);
  assert.deepEqual(await outbox.counts(), { waiting: 0, failing: 0, refused: 0, uncertain: 0 });
  assert.deepEqual(errors, []);
});

test('a batch that may have arrived a day ago is shown to a person, whole', async (t) => {
  const faults: Fault[] = [loseAnswer, ...failures(1_000)];
  const { dir, outbox, session, start, empty, errors, files, sent } = await setUp(t, faults);
  const worker = start();
  await sent(10);
  await worker.stop(0);
  for (const name of await files())
    await rename(path.join(dir, name), path.join(dir, name.replace(/\.\d{13}\.json$/, `.${Date.now() - DAY_MS}.json`)));
  faults.length = 0;
  start();
  await empty();
  assert.deepEqual(await quantities(sb, session), numbers);
  assert.equal((await readdir(path.join(dir, 'uncertain'))).length, 1);
  assert.deepEqual(await outbox.counts(), { waiting: 0, failing: 0, refused: 0, uncertain: 1 });
  assert.deepEqual(errors, ['an item may have arrived a day ago; it was put aside in uncertain/']);
});

test('a first event that the service fails at holds up nothing of its batch, although nothing else comes', async (t) => {
  let isMended = false;
  const fault: Fault = async (request) => {
    const isPoison = (await request.clone().text()).includes('"quantity":"1"');
    return isPoison && !isMended ? internalError(request) : fetch(request);
  };
  const { outbox, session, start, empty, errors } = await setUp(t, fault);
  start();
  await eventually(outbox.counts, ({ waiting, failing }) => waiting === 1 && failing === 1);
  assert.deepEqual(await quantities(sb, session), numbers.slice(1));
  assert.deepEqual(errors, ['Switchboard fails at an item; it is repeated beside its lane']);
  isMended = true;
  await empty();
  assert.deepEqual(await quantities(sb, session), [...numbers.slice(1), '1']);
});
