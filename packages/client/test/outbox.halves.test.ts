import assert from 'node:assert/strict';
import { readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createSwitchboard } from '../src/index.ts';
import { answer, type Fault, loseAnswer, setUpOutbox } from './support/outbox.ts';
import { openSession, quantities, usageEvent } from './support/requests.ts';

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
  /** Waits until the batch is divided down to its first event, and the worker has ended. */
  async function divided(worker: { stop(withinMs: number): Promise<void> }): Promise<void> {
    await eventually(parts.outbox.waiting, (count) => count === 4);
    const { length } = parts.seen;
    await eventually(
      async () => parts.seen.length,
      (count) => count > length + 3,
    );
    await worker.stop(0);
  }
  return { ...parts, lane, divided };
}
const failures = (count: number): Fault[] => Array.from({ length: count }, () => internalError);

test('a batch whose answer is lost is booked once, however long the service fails afterwards', async (t) => {
  const { outbox, session, start, empty, errors, seen } = await setUp(t, [loseAnswer, ...failures(40)]);
  start();
  await empty();
  assert.ok(seen.length > 41);
  assert.deepEqual(await quantities(sb, session), numbers);
  assert.deepEqual(await outbox.counts(), { waiting: 0, failing: 0, refused: 0, uncertain: 0 });
  assert.deepEqual(errors, []);
});

test('a part whose answer is lost is booked once, and so are the events that were not in it', async (t) => {
  // The fifth request has the first four of the eight.
  const faults = [...failures(4), loseAnswer, ...failures(30)];
  const { outbox, session, start, empty, errors, seen } = await setUp(t, faults);
  start();
  await empty();
  assert.ok(seen.length > 35);
  assert.deepEqual(await quantities(sb, session), numbers);
  assert.deepEqual(await outbox.counts(), { waiting: 0, failing: 0, refused: 0, uncertain: 0 });
  assert.deepEqual(errors, []);
});

test('no half is sent before the first part has shown whether the whole has arrived', async (t) => {
  const { start, seen, divided } = await setUp(t, internalError);
  await divided(start());
  assert.equal(new Set(seen.map(({ key }) => key)).size, 1);
});

test('all parts of a batch that may have arrived a day ago are shown to a person', async (t) => {
  const faults: Fault[] = [loseAnswer, ...failures(1_000)];
  const { dir, outbox, session, start, empty, errors, files, divided } = await setUp(t, faults);
  await divided(start());
  for (const name of await files())
    await rename(path.join(dir, name), path.join(dir, name.replace(/\.\d{13}\.json$/, `.${Date.now() - DAY_MS}.json`)));
  faults.length = 0;
  start();
  await empty();
  assert.deepEqual(await quantities(sb, session), numbers);
  assert.equal((await readdir(path.join(dir, 'uncertain'))).length, 4);
  assert.deepEqual(await outbox.counts(), { waiting: 0, failing: 0, refused: 0, uncertain: 4 });
  assert.deepEqual(errors, ['an item may have arrived a day ago; it was put aside in uncertain/']);
});

for (const whose of ['same', 'another'] as const)
  test(`a first event that the service fails at holds up its batch until one of ${whose} user is taken`, async (t) => {
    let isMended = false;
    const fault: Fault = async (request) => {
      const isPoison = (await request.clone().text()).includes('"quantity":"1"');
      return isPoison && !isMended ? internalError(request) : fetch(request);
    };
    const { outbox, session, lane, start, empty, errors } = await setUp(t, fault);
    start();
    await eventually(outbox.waiting, (count) => count === 4);
    const user = whose === 'same' ? session : await openSession(sb, `${session.user_id}-2`);
    await lane.usage(usageEvent(user, '9'));
    await eventually(outbox.counts, ({ waiting, failing }) => waiting === 1 && failing === 1);
    assert.deepEqual((await quantities(sb, session)).filter((one) => one !== '9').sort(), numbers.slice(1));
    assert.deepEqual(errors, ['Switchboard fails at an item; it is repeated beside its lane']);
    isMended = true;
    await empty();
    assert.deepEqual((await quantities(sb, session)).filter((one) => one !== '9').sort(), numbers);
  });
