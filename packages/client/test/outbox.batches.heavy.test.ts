import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createSwitchboard } from '../src/index.ts';
import { startDelivery } from '../src/outbox/delivery.ts';
import { openFiles } from '../src/outbox/files.ts';
import { answer, type Fault, setUpOutbox } from './support/outbox.ts';
import { openSession, quantities, usageEvent } from './support/requests.ts';

const service = await startService();
const sb = createSwitchboard({ baseUrl: service.url });
const setUp = (t: TestContext) => setUpOutbox(t, service);

test('a thousand events that wait are one request; the next one has the rest', async (t) => {
  const { outbox, session, start, empty, seen } = await setUp(t);
  const lane = outbox.lane('call-1');
  const numbers = Array.from({ length: 1_003 }, (_, index) => String(index + 1));
  for (const number of numbers.slice(0, 1_002)) void lane.usage(usageEvent(session, number));
  await lane.usage(usageEvent(session, '1003'));
  start();
  await empty();
  assert.equal(seen.length, 2);
  assert.deepEqual(await quantities(sb, session), numbers);
});

test('events of different users are different requests', async (t) => {
  const { outbox, session, start, empty, seen } = await setUp(t);
  const other = await openSession(sb, `${session.user_id}-2`);
  const lane = outbox.lane('call-1');
  for (const one of [session, session, other, session]) await lane.usage(usageEvent(one, '1'));
  start();
  await empty();
  assert.equal(seen.length, 2);
  assert.deepEqual([await quantities(sb, session), await quantities(sb, other)], [['1', '1', '1'], ['1']]);
});

test('the events of all calls of a user are one request, in the order of each call', async (t) => {
  const { outbox, session, start, empty, seen } = await setUp(t);
  const calls = Array.from({ length: 20 }, (_, index) => index);
  const sessions = calls.map((call) => ({ ...session, id: `${session.id}-${call}` }));
  await Promise.all(
    sessions.map(async (one, call) => {
      const lane = outbox.lane(`call-${call}`);
      for (const quantity of ['1', '2', '3']) void lane.usage(usageEvent(one, quantity));
      await lane.settled();
    }),
  );
  assert.deepEqual(await outbox.counts(), { waiting: 60, failing: 0, refused: 0, uncertain: 0 });
  start();
  await empty();
  assert.equal(seen.length, 1);
  const events = await sb.forUser(session.user_id).usage.list({ limit: 100 }).toArray();
  for (const { id } of sessions)
    assert.deepEqual(
      events.filter(({ session_id }) => session_id === id).map(({ quantity }) => quantity),
      ['1', '2', '3'],
    );
});

test('events that can never be taken are put aside each, and those around them are booked, in order', async (t) => {
  const { dir, outbox, session, start, empty, errors, seen } = await setUp(t);
  const lane = outbox.lane('call-1');
  const good = Array.from({ length: 40 }, (_, index) => String(index + 1));
  for (const number of good) await lane.usage(usageEvent(session, ['7', '8', '40'].includes(number) ? 'many' : number));
  start();
  await empty();
  assert.deepEqual(
    await quantities(sb, session),
    good.filter((number) => !['7', '8', '40'].includes(number)),
  );
  const aside = await readdir(path.join(dir, 'refused'));
  assert.deepEqual(
    aside.map((name) => Number(name.split('.')[1])),
    [6, 7, 39],
  );
  for (const name of aside)
    assert.match(
      await readFile(path.join(dir, 'refused', name), 'utf8'),
      /"events":\[\{[^{]*"quantity":"many"[^{]*\}\]/,
    );
  assert.equal(errors.length, 3);
  assert.ok(seen.length < 30, `${seen.length} requests`);
});

for (const isThere of [false, true])
  test(`events are booked once each if the file of a batch cannot be written, ${isThere ? 'but is' : 'nor is'} there`, async (t) => {
    const { dir, outbox, session, empty } = await setUp(t);
    const lane = outbox.lane('call-1');
    for (const quantity of ['1', '2', '3']) await lane.usage(usageEvent(session, quantity));
    const { put, ...files } = await openFiles(dir);
    const full: typeof put = async (name, item) => {
      if (isThere) await put(name, item);
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    let count = 0;
    const client = createSwitchboard({
      baseUrl: service.url,
      fetch: (request) => {
        count++;
        return fetch(request);
      },
    });
    const delivery = startDelivery(
      { put: full, ...files },
      { client, log: { warn: () => {}, error: () => {} }, pollMs: 5 },
    );
    t.after(() => delivery.stop(0));
    await empty();
    assert.equal(count, isThere ? 1 : 3);
    assert.deepEqual(await quantities(sb, session), ['1', '2', '3']);
  });

test('a batch that cannot be split on a full disk is retried after a pause', async (t) => {
  const { dir, outbox, session } = await setUp(t);
  const other = await openSession(sb, `${session.user_id}-2`);
  const lane = outbox.lane('call-1');
  for (const quantity of ['1', 'many', '3']) await lane.usage(usageEvent(session, quantity));
  const { put, ...files } = await openFiles(dir);
  const full: typeof put = async (name, item) => {
    if ((item.gathered?.length ?? 0) === 2) return put(name, item);
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };
  const errors: string[] = [];
  const log = { warn: () => {}, error: (_: object, text: string) => errors.push(text) };
  const client = createSwitchboard({ baseUrl: service.url });
  const delivery = startDelivery({ put: full, ...files }, { client, log, pollMs: 2, firstPauseMs: 60_000 });
  t.after(() => delivery.stop(0));
  await eventually(
    async () => errors,
    ({ length }) => length > 0,
  );
  for (const quantity of ['1', '2', '3']) {
    await lane.usage(usageEvent(other, quantity));
    await eventually(outbox.waiting, (count) => count === 1);
  }
  assert.deepEqual(errors, ['the outbox could not be read or written']);
  await delivery.stop(0);
  const next = startDelivery({ put, ...files }, { client, log, pollMs: 2 });
  t.after(() => next.stop(0));
  await eventually(outbox.waiting, (count) => count === 0);
  assert.deepEqual(await quantities(sb, session), ['1', '3']);
});

test('a file that could not be written takes no space', async (t) => {
  const { dir } = await setUp(t);
  const files = await openFiles(dir);
  await mkdir(path.join(dir, 'call.json', 'in-the-way'), { recursive: true });
  await assert.rejects(files.put({ file: 'call.json' }, { operation: 'endSessionByRoom', args: ['room'] }));
  assert.deepEqual((await readdir(dir)).sort(), ['call.json', 'refused', 'uncertain']);
});

/** The service as it is. */
const healthy = (): Fault => fetch;
/** A defect that one event brings about, for a while. Its request is not carried out. */
function failsAtTwo(): Fault {
  let failures = 0;
  return async (request) => {
    const isPoison = (await request.clone().text()).includes('"quantity":"2"');
    return isPoison && ++failures <= 12 ? answer(500, 'internal_error')(request) : fetch(request);
  };
}
/** Requests of several events are carried out, and answered as if they were not. */
function deniesBatches(): Fault {
  return async (request) => {
    const isBatch = (await request.clone().text()).split('"quantity"').length > 2;
    const response = await fetch(request);
    return isBatch && response.ok ? answer(500, 'internal_error')(request) : response;
  };
}
/** One request is carried out although its answer is lost, and the service fails at all but `answered` around that. */
function losesAnswer(which: number, answered?: number): () => Fault {
  return () => {
    let count = 0;
    return async (request) => {
      count++;
      const isTaken = count === which || count === answered || count > 12;
      const response = isTaken ? await fetch(request) : null;
      return response && count !== which ? response : answer(500, 'internal_error')(request);
    };
  };
}

for (const [kind, makeFault, refused] of [
  ['refuses one', healthy, 1],
  ['fails at one', failsAtTwo, 0],
  ['books what it says it failed at', deniesBatches, 0],
  ['books a batch, and then fails until that is divided to the end', losesAnswer(1), 0],
  // The fifth request asks whether the batch has arrived, the sixth has a part of it.
  ['uses up the key of a batch, and then fails until that is divided to the end', losesAnswer(5), 0],
  ['books a part of a batch, and then fails until that is divided to the end', losesAnswer(6, 5), 0],
] as const)
  test(`each event is booked once, at whatever step the worker ends, by a service that ${kind}`, async (t) => {
    const numbers = refused ? ['1', 'many', '3', '4', '5'] : ['1', '2', '3', '4', '5'];
    const opened = await openSession(sb, `user-${crypto.randomUUID()}`);
    /** Dies before its step `last`: nothing that it does from then on has an effect. */
    async function dieAt(last: number): Promise<boolean> {
      // The events of one session may belong to several users, which takes less time than many sessions.
      const session = { ...opened, user_id: `${opened.user_id}-${last}` };
      const { dir, outbox, start, empty } = await setUpOutbox(t, service, [], session);
      const lane = outbox.lane('call-1');
      for (const quantity of numbers) await lane.usage(usageEvent(session, quantity));
      let steps = 0;
      const death = Promise.withResolvers<void>();
      const live = () => {
        if (++steps <= last) return;
        death.resolve();
        throw new Error('dead');
      };
      const dying = <Args extends unknown[], R>(act: (...args: Args) => Promise<R>) => {
        return async (...args: Args): Promise<R> => {
          live();
          return act(...args);
        };
      };
      const { put, remove, mark, putAside, moveBeside, flush, ...files } = await openFiles(dir);
      const fault = makeFault();
      const client = createSwitchboard({
        baseUrl: service.url,
        fetch: dying(async (request) => {
          const response = await fault(request);
          live();
          return response;
        }),
      });
      const mortal = {
        put: dying(put),
        remove: dying(remove),
        mark: dying(mark),
        putAside: dying(putAside),
        moveBeside: dying(moveBeside),
        flush: dying(flush),
        ...files,
      };
      const log = { warn: () => {}, error: () => {} };
      const delivery = startDelivery(mortal, { client, log, pollMs: 2, firstPauseMs: 1, longestPauseMs: 1 });
      await Promise.race([death.promise, empty()]);
      await delivery.stop(0);
      const nextRun = start();
      await empty();
      await nextRun.stop(0);
      const events = await sb.forUser(session.user_id).usage.list({ limit: 100 }).toArray();
      const booked = events.map(({ quantity }) => quantity).sort();
      assert.deepEqual(booked, numbers.filter((number) => number !== 'many').sort(), `ended at step ${last}`);
      assert.deepEqual((await outbox.counts()).refused, refused);
      return steps > last;
    }
    let last = 0;
    while (await dieAt(last)) last++;
    assert.ok(last > 20, `${last} steps`);
  });
