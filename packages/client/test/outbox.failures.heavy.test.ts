import assert from 'node:assert/strict';
import { readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createSwitchboard, type Session } from '../src/index.ts';
import { startGuarded } from './support/guarded.ts';
import { answer, type Fault, loseAnswer, setUpOutbox } from './support/outbox.ts';
import { openSession, quantities, usageEvent } from './support/requests.ts';

const service = await startService();
const sb = createSwitchboard({ baseUrl: service.url });
const contents = async ({ id }: Session) => (await sb.sessions.transcripts(id).toArray()).map(({ content }) => content);

/** An outbox whose service fails in a way that a test can mend. */
async function setUp(t: TestContext, isFaulty: (request: Request, body: string) => boolean, failure: Fault) {
  let isMended = false;
  const fault: Fault = async (request) =>
    !isMended && isFaulty(request, await request.clone().text()) ? failure(request) : fetch(request);
  const parts = await setUpOutbox(t, service, fault);
  /** Waits until nothing is left but this. */
  const left = (waiting: number, failing: number) =>
    eventually(parts.outbox.counts, (counts) => counts.waiting === waiting && counts.failing === failing);
  const mend = () => {
    isMended = true;
  };
  return { ...parts, left, mend };
}
const internalError = answer(500, 'internal_error');

test('an event that the service fails at holds up no other, and is booked once the service is mended', async (t) => {
  const isPoison = (_: Request, body: string) => body.includes('"quantity":"23"');
  const { outbox, session, start, empty, errors, seen, left, mend } = await setUp(t, isPoison, internalError);
  const lane = outbox.lane('call-1');
  const numbers = Array.from({ length: 40 }, (_, index) => String(index + 1));
  for (const number of numbers) await lane.usage(usageEvent(session, number));
  start();
  await left(1, 1);
  const others = numbers.filter((number) => number !== '23');
  assert.deepEqual(await quantities(sb, session), others);
  assert.ok(seen.length < 30, `${seen.length} requests`);
  assert.deepEqual(errors, ['Switchboard fails at an item; it is repeated beside its lane']);
  await lane.usage(usageEvent(session, '41'));
  await left(1, 1);
  mend();
  await empty();
  assert.deepEqual(await quantities(sb, session), [...others, '41', '23']);
});

test('a transcript that the service fails at holds up neither the others, which keep their order, nor the end of the call', async (t) => {
  const isPoison = (_: Request, body: string) => body.includes('poison');
  const { outbox, session, start, empty, left, mend } = await setUp(t, isPoison, internalError);
  const lane = outbox.lane('call-1');
  for (const content of ['one', 'poison 1', 'poison 2', 'two', 'three'])
    await lane.transcript(session.room_name, { content });
  await lane.end(session.room_name);
  start();
  await left(2, 2);
  assert.deepEqual(await contents(session), ['one', 'two', 'three']);
  assert.equal((await sb.sessions.get(session.id)).status, 'COMPLETED');
  mend();
  await empty();
  assert.deepEqual((await contents(session)).toSorted(), ['one', 'poison 1', 'poison 2', 'three', 'two']);
});

for (const failure of [internalError, answer(403, 'role_not_allowed'), answer(404, 'route_not_found')]) {
  const { status } = await failure(new Request(service.url));
  test(`a service that answers everything with ${status} is waited for, in order`, async (t) => {
    let isMended = false;
    // It comes back between two attempts at the first item of the lane.
    const isFaulty = (_: Request, body: string) => {
      isMended ||= seen.length > 40 && body.includes('"one"');
      return !isMended;
    };
    const { outbox, session, start, empty, errors, seen } = await setUp(t, isFaulty, failure);
    const lane = outbox.lane('call-1');
    const texts = ['one', 'two', 'three', 'four'];
    for (const content of texts) await lane.transcript(session.room_name, { content });
    for (const quantity of ['1', '2', '3']) await lane.usage(usageEvent(session, quantity));
    start();
    await empty();
    assert.deepEqual(await contents(session), texts);
    assert.deepEqual((await quantities(sb, session)).sort(), ['1', '2', '3']);
    assert.deepEqual(errors, []);
  });

  test(`a service that answers everything with ${status} and comes back at any moment is sent all`, async (t) => {
    for (let last = 12; last < 30; last += 2) {
      const isFaulty = () => seen.length <= last;
      const { outbox, session, start, empty, errors, seen } = await setUp(t, isFaulty, failure);
      const lane = outbox.lane('call-1');
      for (const content of ['one', 'two', 'three', 'four']) await lane.transcript(session.room_name, { content });
      const delivery = start();
      await empty();
      await delivery.stop(0);
      assert.deepEqual((await contents(session)).sort(), ['four', 'one', 'three', 'two']);
      assert.deepEqual(errors, []);
    }
  });
}

test('a kind of report that fails altogether is waited for, in order, and holds up no other kind', async (t) => {
  let isMended = false;
  const isFaulty = ({ url }: Request, body: string) => {
    isMended ||= seen.length > 40 && body.includes('"one"');
    return !isMended && url.endsWith('/transcripts');
  };
  const { outbox, session, start, empty, errors, seen } = await setUp(t, isFaulty, internalError);
  const lane = outbox.lane('call-1');
  for (const content of ['one', 'two', 'three']) await lane.transcript(session.room_name, { content });
  await lane.end(session.room_name);
  start();
  await eventually(
    async () => (await sb.sessions.get(session.id)).status,
    (status) => status === 'COMPLETED',
  );
  assert.equal(isMended, false);
  await empty();
  assert.deepEqual(await contents(session), ['one', 'two', 'three']);
  assert.deepEqual(errors, []);
});

test('an item that is refused repeatedly, and alone, is put aside once another lane has shown that the key is valid', async (t) => {
  const refusals: string[] = [];
  const isRefused = (request: Request, body: string) => {
    const isIt = request.url.endsWith('/transcripts') && body.includes('refused');
    if (isIt) refusals.push(body);
    return isIt;
  };
  const { outbox, session, start, empty, errors } = await setUp(t, isRefused, answer(403, 'role_not_allowed'));
  await outbox.lane('call-1').transcript(session.room_name, { content: 'refused' });
  start();
  await eventually(
    async () => refusals.length,
    (count) => count > 10,
  );
  assert.deepEqual(await outbox.counts(), { waiting: 1, failing: 0, refused: 0, uncertain: 0 });
  await outbox.lane('call-2').transcript(session.room_name, { content: 'taken' });
  await empty();
  assert.deepEqual(await contents(session), ['taken']);
  assert.deepEqual(await outbox.counts(), { waiting: 0, failing: 0, refused: 1, uncertain: 0 });
  assert.deepEqual(errors, ['Switchboard refused an item; it was put aside in refused/']);
});

test('a correction that the key may not log is set aside, counted, and sent again by a command; the others are booked', async (t) => {
  const { guarded, backend, worker, owner, session } = await startGuarded();
  const { outbox, errors } = await setUpOutbox(t, service);
  const lane = outbox.lane('call-1');
  const deliver = (apiKey: string) => {
    const client = createSwitchboard({ baseUrl: guarded.url, apiKey });
    const log = { warn: () => {}, error: (_: object, text: string) => errors.push(text) };
    const delivery = outbox.deliver({ client, log, pollMs: 5, firstPauseMs: 10, longestPauseMs: 40 });
    t.after(() => delivery.stop(0));
    return delivery;
  };
  const waits = () => eventually(outbox.waiting, (count) => count === 0);
  for (const quantity of ['1', '-2', '3', '4']) await lane.usage(usageEvent(session, quantity));
  const delivery = deliver(worker.key);
  await waits();
  assert.deepEqual(await quantities(owner, session), ['1', '3', '4']);
  assert.deepEqual(await outbox.counts(), { waiting: 0, failing: 0, refused: 1, uncertain: 0 });
  assert.deepEqual(errors, ['Switchboard refused an item; it was put aside in refused/']);
  await delivery.stop(0);

  assert.equal(await outbox.sendRefusedAgain(), 1);
  deliver(backend.key);
  await waits();
  assert.deepEqual(await quantities(owner, session), ['1', '3', '4', '-2']);
  assert.equal(await outbox.sendRefusedAgain(), 0);
});

test('an item that is put back before one that has failed long enough starts over', async (t) => {
  const attempts = { again: 0, waits: 0 };
  const isFaulty = ({ url }: Request, body: string) => {
    const content = url.endsWith('/transcripts') && /again|waits/.exec(body)?.[0];
    if (!content) return false;
    attempts[content as keyof typeof attempts]++;
    return content === 'again' ? attempts.again < 5 : attempts.again < 2;
  };
  const refuse: Fault = (request) =>
    attempts.waits === 0 ? answer(400, 'bad_request')(request) : answer(403, 'role_not_allowed')(request);
  const { outbox, session, start, empty } = await setUp(t, isFaulty, refuse);
  const lane = outbox.lane('call-1');
  await lane.transcript(session.room_name, { content: 'again' });
  start();
  await eventually(outbox.counts, ({ refused }) => refused === 1);
  await lane.transcript(session.room_name, { content: 'filler' });
  await lane.transcript(session.room_name, { content: 'waits' });
  await eventually(
    async () => attempts.waits,
    (count) => count > 6,
  );
  assert.equal(await outbox.sendRefusedAgain(), 1);
  await empty();
  assert.deepEqual(await contents(session), ['filler', 'again', 'waits']);
  assert.equal((await outbox.counts()).refused, 0);
});

/** The answer of a proxy, or of whatever else is at the address of the service. */
const foreign =
  (status: number): Fault =>
  async () =>
    new Response('default backend', { status });

for (const status of [400, 403, 404, 405, 500])
  test(`a proxy that answers ${status} for the service blames no report for a while, whatever else is taken`, async (t) => {
    let attempts = 0;
    const isHit = (_: Request, body: string) => body.includes('unlucky') && ++attempts > 0;
    const { outbox, session, start, empty, errors, mend } = await setUp(t, isHit, foreign(status));
    const tried = (count: number) =>
      eventually(
        async () => attempts,
        (seen) => seen >= count,
      );
    await outbox.lane('call-1').transcript(session.room_name, { content: 'unlucky' });
    await outbox.lane('call-1').transcript(session.room_name, { content: 'behind' });
    start();
    await tried(6);
    await outbox.lane('call-2').transcript(session.room_name, { content: 'taken' });
    await tried(14);
    assert.deepEqual(await outbox.counts(), { waiting: 2, failing: 0, refused: 0, uncertain: 0 });
    mend();
    await empty();
    assert.deepEqual(await contents(session), ['taken', 'unlucky', 'behind']);
    assert.deepEqual(errors, []);
  });

for (const [what, failure] of [
  ['answers one transcript with 403', foreign(403)],
  ['resets the connection of one transcript', async () => Promise.reject(new TypeError('fetch failed'))],
] as const)
  test(`a firewall that ${what} delays the others for a while, not forever`, async (t) => {
    const isDisliked = (_: Request, body: string) => body.includes('drop table');
    const { outbox, session, start, empty, errors, left, mend } = await setUp(t, isDisliked, failure);
    const lane = outbox.lane('call-1');
    for (const content of ['one', 'drop table', 'two']) await lane.transcript(session.room_name, { content });
    await lane.end(session.room_name);
    start();
    await left(1, 1);
    assert.deepEqual(await contents(session), ['one', 'two']);
    assert.deepEqual(errors, ['Switchboard fails at an item; it is repeated beside its lane']);
    mend();
    await empty();
    assert.deepEqual(await contents(session), ['one', 'two', 'drop table']);
  });

test('a proxy that refuses large bodies gets the events in smaller batches', async (t) => {
  const isLong = (_: Request, body: string) => body.split('"quantity"').length > 4;
  const { outbox, session, start, empty, errors } = await setUp(t, isLong, foreign(413));
  const lane = outbox.lane('call-1');
  const numbers = Array.from({ length: 12 }, (_, index) => String(index + 1));
  for (const number of numbers) await lane.usage(usageEvent(session, number));
  start();
  await empty();
  assert.deepEqual(await quantities(sb, session), numbers);
  assert.deepEqual(await outbox.counts(), { waiting: 0, failing: 0, refused: 0, uncertain: 0 });
  assert.deepEqual(errors, []);
});

test('a refused report that may have arrived is not booked again when it is put back a day later', async (t) => {
  let attempts = 0;
  const isRefused = (_: Request, body: string) => body.includes('"quantity":"13"');
  const refuse: Fault = (request) =>
    ++attempts === 1 ? loseAnswer(request) : answer(403, 'role_not_allowed')(request);
  const { dir, outbox, session, start, mend } = await setUp(t, isRefused, refuse);
  const other = await openSession(sb, `${session.user_id}-2`);
  await outbox.lane('call-1').usage(usageEvent(session, '13'));
  const first = start();
  await eventually(
    async () => attempts,
    (count) => count > 6,
  );
  await outbox.lane('call-2').usage(usageEvent(other, '1'));
  await eventually(outbox.counts, ({ waiting, refused }) => waiting === 0 && refused === 1);
  await first.stop(0);
  const refused = path.join(dir, 'refused');
  const [name = ''] = await readdir(refused);
  const dayAgo = Date.now() - 24 * 60 * 60_000;
  await rename(path.join(refused, name), path.join(refused, name.replace(/\d{13}(?=\.json)/, String(dayAgo))));
  mend();
  assert.equal(await outbox.sendRefusedAgain(), 1);
  start();
  await eventually(outbox.counts, ({ waiting, uncertain }) => waiting === 0 && uncertain === 1);
  assert.deepEqual(await quantities(sb, session), ['13']);
});

test('a report that the service itself refuses for good has not arrived, whatever came before', async (t) => {
  const { dir, outbox, session, start, empty } = await setUpOutbox(t, service, [answer(503, 'database_full')]);
  await outbox.lane('call-1').usage(usageEvent(session, 'many'));
  start();
  await empty();
  const [name = ''] = await readdir(path.join(dir, 'refused'));
  assert.match(name, /\.\d{12}\.[\w-]{36}\.json$/);
});
