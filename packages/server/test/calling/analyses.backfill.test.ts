import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { MAX_OPEN_BACKFILLS } from '../../src/calling/analyses/schema.ts';
import { newId } from '../../src/lib/ids.ts';
import {
  AT_ONCE,
  analysed,
  analysesOf,
  analysing,
  claim,
  complete,
  endedCall,
  fail,
  resultOf,
  saveExtractor,
  served,
} from '../support/analyses.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { send } from '../support/tests.ts';

const service = await startService({ env: AT_ONCE });
after(() => service.close());

const post = (fields: Json, of = service, user = USER) =>
  send(of, 'POST', '/api/analyses/backfill', { extractor: 'visit', filter: {}, ...fields }, user);
const progress = async (id: string, of = service) => (await send(of, 'GET', `/api/analyses/backfills/${id}`)).body;
const over = (id: string, of = service) =>
  eventually(
    () => progress(id, of),
    ({ state }) => state === 'done',
  );

test('a backfill is estimated first, and then analyses the calls that were not analysed', async () => {
  await saveExtractor(service, 'visit');
  const plain = await createAgent(service, { config: {} });
  const naming = await analysing(service, ['visit']);
  const calls = [await endedCall(service, plain), await endedCall(service, plain), await endedCall(service, plain)];
  await endedCall(service, plain, []);
  const unknown = await post({});
  assert.deepEqual([unknown.status, unknown.body.state, unknown.body.calls], [200, 'estimate', 4]);
  assert.equal(unknown.body.estimated_cost, null, 'nothing was analysed yet');
  const analysedCall = await endedCall(service, naming);
  const [{ cost, ended_at } = assert.fail()] = await analysed(service, analysedCall.call_id);
  const { body } = await post({ estimate: true });
  assert.deepEqual([body.calls, Number(body.estimated_cost)], [5, 5 * Number(cost)]);
  assert.equal((await post({ filter: { agent_id: plain } })).body.calls, 4);
  assert.equal((await post({ filter: { agent_id: plain, agent_version: 2 } })).body.calls, 0);
  assert.equal((await post({ filter: { direction: 'INBOUND' } })).body.calls, 0);
  assert.equal((await post({ filter: { to: '2020-01-01T00:00:00Z' } })).body.calls, 0);
  assert.deepEqual(await analysesOf(service, calls[0]?.call_id ?? ''), []);
  const started = await post({ estimate: false });
  assert.equal(started.status, 201, JSON.stringify(started.body));
  const { backfill_id } = started.body;
  const { queued, done, failed } = await over(backfill_id);
  assert.deepEqual([queued, done, failed], [3, 3, 0]);
  for (const { call_id } of calls) assert.equal((await analysed(service, call_id))[0]?.state, 'done');
  assert.equal((await analysesOf(service, analysedCall.call_id))[0]?.ended_at, ended_at, 'not once more');
  const again = (await post({ estimate: false })).body;
  assert.equal((await over(again.backfill_id)).queued, 0);
  assertRefused(
    await send(service, 'GET', `/api/analyses/backfills/${backfill_id}`, undefined, 'other'),
    404,
    'not_found',
  );
  assertRefused(await send(service, 'GET', '/api/analyses/backfills/x'), 404, 'not_found');
});

test('a backfill of an extractor that there is not, or with a filter that is none, is refused', async () => {
  for (const extractor of ['gone', 'visit@7', '!'])
    assert.deepEqual(problemsOf(await post({ extractor })), ['body.extractor value_error']);
  assert.deepEqual(problemsOf(await post({}, service, 'other')), ['body.extractor value_error']);
  assert.deepEqual(problemsOf(await post({ filter: { form: 'x' } })), ['body.filter.form extra_forbidden']);
  assert.deepEqual(problemsOf(await post({ filter: { agent_id: 'x' } })), ['body.filter.agent_id value_error']);
});

test('a backfill goes on after a kill, repeats nothing, and counts what has failed', async () => {
  const first = await served();
  await saveExtractor(first, 'visit');
  const plain = await createAgent(first, { config: {} });
  const calls: string[] = [];
  for (let call = 0; call < 5; call++) calls.push((await endedCall(first, plain)).call_id);
  const { db } = first.database;
  // As a process leaves it that dies after it has asked for the first two.
  const { backfill_id } = (await post({ estimate: false }, first)).body;
  await eventually(
    () => progress(backfill_id, first),
    ({ queued }) => queued === 5,
  );
  const kept = calls.slice(3);
  await db.deleteFrom('analyses').where('session_id', 'not in', kept).execute();
  await db.deleteFrom('work').where('kind', 'in', ['analysis', 'analysis_backfill']).execute();
  const left = await db.selectFrom('analyses').select('id').execute();
  const rest = { queued: 2, is_scanned: false, after_session: kept[0] ?? null };
  await db.updateTable('analysis_backfills').set(rest).execute();
  const at = new Date();
  const work = [
    ...left.map(({ id: key }) => ({ kind: 'analysis', key })),
    { kind: 'analysis_backfill', key: backfill_id },
  ];
  for (const one of work)
    await db
      .insertInto('work')
      .values({
        id: crypto.randomUUID(),
        payload: '{}',
        due_at: at,
        created_at: at,
        ...one,
        last_error: null,
        leased_until: null,
        again_at: null,
      })
      .execute();
  await first.app.reconcile();
  const tasks: Json[] = [];
  while (tasks.length < 5) tasks.push(...(await claim(first, { capacity: 9 })));
  assert.equal(new Set(tasks.map(({ payload }) => payload.call_id)).size, 5, 'each call once');
  const [bad = assert.fail(), ...good] = tasks;
  await fail(first, bad, false);
  for (const task of good) await complete(first, task, resultOf({}));
  const { queued, done, failed } = await over(backfill_id, first);
  assert.deepEqual([queued, done, failed], [5, 4, 1]);
  await first.close();
});

test('a user has up to three backfills in progress', async () => {
  const busy = await served();
  await saveExtractor(busy, 'visit');
  await endedCall(busy, await createAgent(busy, { config: {} }));
  for (let count = 1; count <= MAX_OPEN_BACKFILLS; count++) {
    await saveExtractor(busy, 'visit', { instructions: `${count}` });
    const { status, body } = await post({ estimate: false }, busy);
    assert.equal(status, 201, JSON.stringify(body));
    await eventually(
      () => progress(body.backfill_id, busy),
      ({ queued }) => queued === 1,
    );
  }
  assertRefused(await post({ estimate: false }, busy), 429, 'too_many_backfills');
  await busy.close();
});

test('of ten that are started at once three are in progress', async () => {
  const busy = await served();
  const names = Array.from({ length: 10 }, (_, index) => `visit${index}`);
  for (const name of names) await saveExtractor(busy, name);
  await endedCall(busy, await createAgent(busy, { config: {} }));
  const answers = await Promise.all(names.map((extractor) => post({ extractor, estimate: false }, busy)));
  const of = (status: number) => answers.filter((answer) => answer.status === status).length;
  assert.deepEqual([of(201), of(429)], [MAX_OPEN_BACKFILLS, 10 - MAX_OPEN_BACKFILLS]);
  await busy.close();
});

test('a backfill never has more than 200 analyses that have not ended', async () => {
  const own = await served();
  await saveExtractor(own, 'visit');
  const plain = await createAgent(own, { config: {} });
  const { call_id: session_id } = await endedCall(own, plain);
  for (let call = 0; call < 2; call++) await endedCall(own, plain);
  const { db } = own.database;
  const of = { user_id: USER, extractor: 'visit', extractor_version: 1 };
  const created_at = new Date();
  const id = newId();
  const backfill = { id, ...of, filter: '{}', state: 'running' as const, created_at, ended_at: null, queued: 199 };
  await db.insertInto('analysis_backfills').values(backfill).execute();
  // Nobody has begun them.
  const open = { ...of, session_id, state: 'queued' as const, backfill_id: id, created_at };
  const all = Array.from({ length: 199 }, (_, index) => ({ ...open, id: newId(), extractor: `other${index}` }));
  await db.insertInto('analyses').values(all).execute();
  const work = { id: newId(), kind: 'analysis_backfill', key: id, payload: '{}', due_at: created_at, created_at };
  await db
    .insertInto('work')
    .values({ ...work, last_error: null, leased_until: null, again_at: null })
    .execute();
  await own.app.reconcile();
  const { queued } = await eventually(
    () => progress(id, own),
    (one) => one.queued > 199,
  );
  assert.equal(queued, 200);
  await own.close();
});

test('a backfill that is canceled asks for nothing more, and what nobody has begun is not made', async () => {
  const own = await served();
  await saveExtractor(own, 'visit');
  const plain = await createAgent(own, { config: {} });
  for (let call = 0; call < 4; call++) await endedCall(own, plain);
  const { backfill_id } = (await post({ estimate: false }, own)).body;
  await eventually(
    () => progress(backfill_id, own),
    ({ queued }) => queued === 4,
  );
  const [begun = assert.fail()] = await claim(own);
  const cancel = (user = USER) => send(own, 'POST', `/api/analyses/backfills/${backfill_id}/cancel`, undefined, user);
  assertRefused(await cancel('other'), 404, 'not_found');
  const canceled = await cancel();
  assert.deepEqual([canceled.status, canceled.body.state, canceled.body.queued], [200, 'canceled', 1]);
  assert.equal((await complete(own, begun, resultOf({}))).status, 200, 'what was begun is completed');
  assert.deepEqual(await claim(own, { wait_s: 0 }), []);
  const after = await progress(backfill_id, own);
  assert.deepEqual([after.state, after.queued, after.done, after.failed], ['canceled', 1, 1, 0]);
  assert.equal(after.ended_at, canceled.body.ended_at);
  assert.deepEqual((await cancel()).body, after, 'once more changes nothing');
  // One that dies between the two steps of canceling is completed by another request.
  const second = (await post({ estimate: false }, own)).body.backfill_id;
  await eventually(
    () => progress(second, own),
    ({ queued }) => queued === 3,
  );
  const { db } = own.database;
  const stopped = { state: 'canceled' as const, ended_at: new Date() };
  await db.updateTable('analysis_backfills').set(stopped).where('id', '=', second).execute();
  const repaired = await send(own, 'POST', `/api/analyses/backfills/${second}/cancel`);
  assert.deepEqual([repaired.body.state, repaired.body.queued], ['canceled', 0]);
  assert.deepEqual(await claim(own, { wait_s: 0 }), []);
  const listed = await send(own, 'GET', '/api/analyses/backfills?limit=1');
  assert.deepEqual(
    listed.body.items.map((one: Json) => one.backfill_id),
    [second],
  );
  const rest = await send(own, 'GET', `/api/analyses/backfills?cursor=${listed.body.next_cursor}`);
  assert.deepEqual(
    rest.body.items.map((one: Json) => [one.backfill_id, one.state]),
    [[backfill_id, 'canceled']],
  );
  assert.deepEqual((await send(own, 'GET', '/api/analyses/backfills', undefined, 'other')).body.items, []);
  await own.close();
});

test('what was asked for otherwise, too, is made although its backfill is canceled', async () => {
  const own = await served();
  await saveExtractor(own, 'visit');
  const plain = await createAgent(own, { config: {} });
  const calls: string[] = [];
  for (let call = 0; call < 3; call++) calls.push((await endedCall(own, plain)).call_id);
  const { backfill_id } = (await post({ estimate: false }, own)).body;
  await eventually(
    () => progress(backfill_id, own),
    ({ queued }) => queued === 3,
  );
  const ask = (call?: string) => send(own, 'POST', `/api/calls/${call}/analyses`, { extractors: ['visit'] });
  for (let time = 0; time < 2; time++) assert.equal((await ask(calls[1])).status, 202);
  assert.equal((await progress(backfill_id, own)).queued, 2, 'it is counted once');
  const canceled = await send(own, 'POST', `/api/analyses/backfills/${backfill_id}/cancel`);
  assert.deepEqual([canceled.body.state, canceled.body.queued], ['canceled', 0]);
  const [task = assert.fail(), ...others] = await claim(own, { capacity: 9 });
  assert.deepEqual([task.payload.call_id, others.length], [calls[1], 0]);
  await complete(own, task, resultOf({}));
  assert.equal((await progress(backfill_id, own)).done, 0);
  // One that has nothing else to wait for is over.
  const second = (await post({ estimate: false }, own)).body.backfill_id;
  await eventually(
    () => progress(second, own),
    ({ queued }) => queued === 2,
  );
  for (const call of calls) await ask(call);
  assert.deepEqual((await over(second, own)).queued, 0);
  await own.close();
});
