import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { allPages, assertRefused, problemsOf } from '../support/answers.ts';

const service = await startService();
const END = '2026-01-15T09:30:04.120Z';
const DAY_MS = 86_400_000;

const session = async (fields: object = {}, of: Pick<Service, 'request'> = service): Promise<string> =>
  (await of.request('POST', '/api/sessions/', { body: { user_id: USER, ...fields } })).body.id;
const report = (id: string, turns: unknown, of: Pick<Service, 'request'> = service) =>
  of.request('POST', `/api/sessions/${id}/turns`, { body: { turns } });
const turn = (turn_index: number, fields: object = {}) => ({ turn_index, end_of_speech_at: END, ...fields });
const latency = async (user = USER, query = '', of: Pick<Service, 'request'> = service) => {
  const { status, body } = await of.request('GET', `/api/stats/latency${query}`, { user });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const list = async (id: string) => (await service.request('GET', `/api/sessions/${id}/turns?limit=100`)).body.items;

test('turns are listed as they were reported, in the order of their numbers, page by page', async () => {
  const session_id = await session();
  const full = { transcript_ms: 180, first_token_ms: 540.4, first_audio_ms: 0, interrupted_after_ms: 70, model: 'gpt' };
  assert.deepEqual((await report(session_id, [turn(2), turn(0, full)])).body, { added: 2, known: 0 });
  const { status, body } = await report(session_id, [turn(10), turn(1, { first_audio_ms: null })]);
  assert.deepEqual([status, body], [201, { added: 2, known: 0 }]);
  const empty = { session_id, end_of_speech_at: END, model: null, transcript_ms: null };
  const none = { ...empty, first_token_ms: null, first_audio_ms: null, interrupted_after_ms: null };
  assert.deepEqual(await list(session_id), [
    { session_id, end_of_speech_at: END, turn_index: 0, ...full, first_token_ms: 540 },
    ...[1, 2, 10].map((turn_index) => ({ ...none, turn_index })),
  ]);
  const pages = await allPages(service, `/api/sessions/${session_id}/turns`, 2);
  assert.deepEqual(pages, await list(session_id));
});

test('a turn that is sent again changes nothing, also at the same time and within one request', async () => {
  const user_id = 'again';
  const id = await session({ user_id });
  const batch = Array.from({ length: 50 }, (_, index) => turn(index, { first_audio_ms: 100 }));
  const answers = await Promise.all(Array.from({ length: 6 }, () => report(id, batch)));
  assert.equal(
    answers.reduce((sum, { body }) => sum + body.added, 0),
    50,
  );
  const again = await report(id, [turn(0, { first_audio_ms: 9999 }), turn(50), turn(50, { first_audio_ms: 7 })]);
  assert.deepEqual(again.body, { added: 1, known: 2 });
  const items = await list(id);
  assert.deepEqual([items[0].first_audio_ms, items[50].first_audio_ms], [100, null]);
  assert.equal((await latency(user_id)).total.first_audio.turns, 50);
});

/** The figure below or at which so many of all values are. */
function exactly(values: number[], part: number): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length * part) - 1] ?? 0;
}

test('p50, p95 and mean are right within the accuracy, by agent and model and in total', async () => {
  const user_id = 'figures';
  const agents = [
    await createAgent(service, { name: 'Quick', user_id }),
    await createAgent(service, { name: 'Slow', user_id }),
  ];
  const values = new Map<string, number[]>();
  for (const [which, agent_id] of agents.entries()) {
    for (const [slower, model] of ['small', 'large'].entries()) {
      const id = await session({ agent_id, user_id });
      const least = 150 * (which + 1) * (1 + 2 * slower);
      const some = Array.from({ length: 400 }, (_, index) => Math.round(least * 1.004 ** index));
      values.set(`${agent_id} ${model}`, some);
      await report(
        id,
        some.map((first_audio_ms, index) => turn(index, { model, first_audio_ms })),
      );
    }
  }
  const { groups, total } = await latency(user_id);
  const near = (figure: number, exact: number) => Math.abs(figure - exact) <= exact * 0.025 + 1;
  for (const [which, agent_id] of agents.entries()) {
    const own = groups.filter((group: { agent_id: string }) => group.agent_id === agent_id);
    assert.deepEqual(own.map(({ model }: { model: string }) => model).sort(), ['large', 'small']);
    for (const { agent_name, model, first_audio, transcript } of own) {
      const exact = values.get(`${agent_id} ${model}`) ?? [];
      assert.deepEqual([agent_name, first_audio.turns, transcript], [which === 0 ? 'Quick' : 'Slow', 400, null]);
      assert.ok(near(first_audio.p50_ms, exactly(exact, 0.5)), JSON.stringify(first_audio));
      assert.ok(near(first_audio.p95_ms, exactly(exact, 0.95)), JSON.stringify(first_audio));
      assert.equal(first_audio.mean_ms, Math.round(exact.reduce((sum, ms) => sum + ms, 0) / 400));
    }
  }
  assert.equal(total.first_audio.turns, 1600);
  assert.ok(near(total.first_audio.p95_ms, exactly([...values.values()].flat(), 0.95)), JSON.stringify(total));
});

test('the report is bounded by days, and reads no turn: however many there are, it is the same work', async () => {
  const user_id = 'days';
  const clock = createTestClock();
  const own = await startService({ clock });
  const first = await session({ user_id }, own);
  await report(first, [turn(0, { first_audio_ms: 100 })], own);
  const today = clock.now().toISOString().slice(0, 10);
  clock.advance(DAY_MS);
  const tomorrow = clock.now().toISOString().slice(0, 10);
  await report(await session({ user_id }, own), [turn(0, { first_audio_ms: 1000 })], own);
  const turnsOf = async (query: string) => (await latency(user_id, query, own)).total.first_audio?.turns ?? 0;
  assert.deepEqual(
    [
      await turnsOf(''),
      await turnsOf(`?start_date=${tomorrow}`),
      await turnsOf(`?end_date=${today}`),
      await turnsOf('?end_date=2020-01-01'),
    ],
    [2, 1, 1, 0],
  );
  const wrong = await own.request('GET', `/api/stats/latency?start_date=${tomorrow}&end_date=${today}`, { user: 'u' });
  assert.deepEqual(problemsOf(wrong), ['query.end_date date_before_start']);
  const before = await latency(user_id, '', own);
  await sql`delete from turns`.execute(own.database.db);
  assert.deepEqual(await latency(user_id, '', own), before);
});

test('an invalid turn is a 422 that names it; a batch has 1 to 500 turns of up to 10,000 in a session', async () => {
  const id = await session();
  for (const [turns, expected] of [
    [[turn(0), turn(-1)], ['body.turns.1.turn_index greater_than_equal']],
    [[turn(10_000)], ['body.turns.0.turn_index less_than_equal']],
    [[turn(0, { transcript_ms: -1 })], ['body.turns.0.transcript_ms greater_than_equal']],
    [[turn(0, { first_audio_ms: 600_001 })], ['body.turns.0.first_audio_ms less_than_equal']],
    [[{ turn_index: 0 }], ['body.turns.0.end_of_speech_at missing']],
    [[turn(0, { latency: 5 })], ['body.turns.0.latency extra_forbidden']],
    [[], ['body.turns too_short']],
    [Array.from({ length: 501 }, (_, index) => turn(index)), ['body.turns too_long']],
  ] as const)
    assert.deepEqual(problemsOf(await report(id, turns)), expected);
  assert.equal((await report(id, [turn(9_999)])).status, 201);
  const cursor = Buffer.from('x').toString('base64url');
  const page = await service.request('GET', `/api/sessions/${id}/turns?cursor=${cursor}`);
  assert.deepEqual(problemsOf(page), ['query.cursor value_error']);
  assert.equal((await report('01980000-0000-7000-8000-000000000001', [turn(0)])).status, 404);
});

test('turns are accepted until a day after the end', async () => {
  const clock = createTestClock();
  const own = await startService({ clock });
  const id = await session({}, own);
  await own.request('PATCH', `/api/sessions/${id}`, { body: { duration: 5 } });
  clock.advance(DAY_MS - 60_000);
  assert.equal((await report(id, [turn(0)], own)).status, 201);
  clock.advance(120_000);
  assertRefused(await report(id, [turn(1)], own), 409, 'session_ended');
});

test('a report has a thousand groups at most, those with most turns first', async () => {
  const user_id = 'groups';
  const id = await session({ user_id });
  const models = Array.from({ length: 1100 }, (_, index) => `model-${index}`);
  for (const part of [models.slice(0, 500), models.slice(500, 1000), models.slice(1000)])
    await report(
      id,
      part.map((model) => turn(models.indexOf(model), { model, first_audio_ms: 5 })),
    );
  await report(id, [turn(2000, { model: 'model-1099', first_audio_ms: 5 })]);
  const { groups, total } = await latency(user_id);
  assert.deepEqual([groups.length, groups[0].model, total.first_audio.turns], [1000, 'model-1099', 1101]);
});

test('an erasure takes the turns and the figures of a user, of another nothing; retention takes turns alone', async () => {
  const clock = createTestClock();
  const own = await startService({ clock, env: { TURN_RETENTION_DAYS: '30' } });
  const { db } = own.database;
  for (const user_id of ['eve', 'other']) {
    const id = await session({ user_id }, own);
    await report(id, [turn(0, { first_audio_ms: 100 })], own);
  }
  const other = await latency('other', '', own);
  assert.equal((await own.request('DELETE', '/api/users/eve')).status, 200);
  assert.equal((await latency('eve', '', own)).total.first_audio, null);
  assert.deepEqual(await latency('other', '', own), other);
  const count = async () => (await db.selectFrom('turns').selectAll().execute()).length;
  assert.equal(await count(), 1);
  clock.advance(31 * DAY_MS);
  await own.app.reconcile();
  assert.equal(await count(), 0);
  assert.deepEqual(await latency('other', '', own), other);
});

test('turns of a call count for its agent', async () => {
  const agent_id = await createAgent(service, { name: 'Caller' });
  const { call_id } = await answeredCall(service, { agent_id });
  await report(call_id, [turn(0, { transcript_ms: 50 })]);
  const { groups } = await latency();
  const own = groups.find((group: { agent_name: string }) => group.agent_name === 'Caller');
  assert.deepEqual([own.agent_id, own.model, own.transcript.turns], [agent_id, null, 1]);
});
