import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { MAX_ANALYSIS_GROUPS } from '../../src/calling/analyses/stats-schema.ts';
import { timeIds } from '../../src/lib/ids.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { AT_ONCE, analysed, analysesOf, analysing, endedCall, saveExtractor } from '../support/analyses.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { send } from '../support/tests.ts';

const receiver = await startReceiver();
const service = await startService({ env: AT_ONCE });
const { db } = service.database;
after(() => service.close());

await saveExtractor(service, 'visit', { weights: { was_friendly: 3, guests: 1 } });
const agent_id = await analysing(service, ['visit']);

test('the sandbox analyses an ended call by rules, says so, and gives the line of each value', async () => {
  const { call_id, lines } = await endedCall(service, agent_id);
  const [found = assert.fail()] = await analysed(service, call_id);
  const { state, extractor, extractor_version, values, evidence, summary, score, is_simulated, cost, error } = found;
  assert.deepEqual([state, extractor, extractor_version, is_simulated, error], ['done', 'visit', 1, true, null]);
  const expected = { outcome: 'booked', was_friendly: true, guests: 3, note: null, topics: ['parking'] };
  assert.deepEqual(values, expected);
  assert.deepEqual(evidence, { outcome: [lines[2]], was_friendly: [lines[2]], guests: [lines[1]], topics: [lines[1]] });
  assert.match(summary, /^Simulated/);
  assert.equal(score, 0.825);
  const { items } = (await send(service, 'GET', `/api/usage/events?session_id=${call_id}`)).body;
  const costs = items.filter(({ event_type }: { event_type: string }) => event_type === 'llm_tokens');
  assert.deepEqual(
    costs.map(({ total_cost }: { total_cost: string }) => total_cost),
    [cost],
  );
});

test('calls without words, of another kind, or outside of the sample are not analysed', async () => {
  await saveExtractor(service, 'none', { sample: 1e-9 });
  await saveExtractor(service, 'web', { when: { direction: 'WEB' } });
  await saveExtractor(service, 'long', { when: { min_duration_s: 3_600 } });
  await saveExtractor(service, 'human', { when: { answered_by: 'human' } });
  await saveExtractor(service, 'all', { when: { direction: 'OUTBOUND', min_duration_s: 0 } });
  const picky = await analysing(service, ['none', 'web', 'long', 'human', 'all']);
  const silent = await endedCall(service, picky, []);
  const spoken = await endedCall(service, picky);
  const [only = assert.fail()] = await analysed(service, spoken.call_id);
  assert.equal(only.extractor, 'all');
  assert.deepEqual(await analysesOf(service, silent.call_id), []);
  assertRefused(await send(service, 'POST', `/api/calls/${silent.call_id}/analyses`, {}), 409, 'no_transcript');
});

test('the end of a call whose agent names no extractors asks for nothing', async () => {
  const plain = await createAgent(service, { config: {} });
  const { call_id } = await endedCall(service, plain);
  await service.app.reconcile();
  const work = await db.selectFrom('work').select('kind').where('key', '=', call_id).execute();
  assert.deepEqual(work, []);
  assert.deepEqual(await analysesOf(service, call_id), []);
  const path = `/api/calls/${call_id}/analyses`;
  assert.deepEqual(problemsOf(await send(service, 'POST', path, {})), ['body.extractors value_error']);
  const unknown = await send(service, 'POST', path, { extractors: ['visit', 'gone', 'visit@9', '!'] });
  assert.deepEqual(problemsOf(unknown), [
    'body.extractors.1 value_error',
    'body.extractors.2 value_error',
    'body.extractors.3 value_error',
  ]);
  const asked = await send(service, 'POST', path, { extractors: ['visit'] });
  assert.equal(asked.status, 202, JSON.stringify(asked.body));
  const [first = assert.fail()] = await analysed(service, call_id);
  assert.equal((await send(service, 'POST', path, { extractors: ['visit@1'] })).status, 202);
  const again = await eventually(
    () => analysesOf(service, call_id),
    ([one]) => one?.ended_at !== null && one?.ended_at !== first.ended_at,
  );
  assert.deepEqual([again.length, again[0]?.analysis_id], [1, first.analysis_id], 'one result by each version');
  assert.deepEqual(again[0]?.values, first.values);
  assertRefused(await send(service, 'POST', path, {}, 'other'), 404, 'not_found');
  assertRefused(await send(service, 'GET', path, undefined, 'other'), 404, 'not_found');
  const open = await answeredCall(service, { agent_id });
  assertRefused(await send(service, 'POST', `/api/calls/${open.call_id}/analyses`, {}), 409, 'no_transcript');
});

test('a call keeps the version of the extractor that its agent had', async () => {
  await saveExtractor(service, 'kept');
  const keeping = await analysing(service, ['kept']);
  await saveExtractor(service, 'kept', { instructions: 'Be strict.' });
  const { call_id } = await endedCall(service, keeping);
  assert.equal((await analysed(service, call_id))[0]?.extractor_version, 1);
  await send(service, 'POST', `/api/calls/${call_id}/analyses`, { extractors: ['kept'] });
  const both = await analysed(service, call_id, 2);
  assert.deepEqual(
    both.map(({ extractor_version }) => extractor_version),
    [1, 2],
  );
});

test('call.analyzed goes to the callback URL and to endpoints, once for each analysis', async () => {
  const url = `${receiver.url}/endpoint`;
  await send(service, 'POST', '/api/webhook-endpoints', { url, events: ['call.analyzed'] });
  const { call_id } = await endedCall(service, agent_id, undefined, { callback_url: `${receiver.url}/own` });
  const [found] = await analysed(service, call_id);
  for (const path of ['/endpoint', '/own']) {
    const analyzed = () =>
      receiver
        .at(path)
        .map(({ body }) => JSON.parse(body))
        .filter(({ type }) => type === 'call.analyzed');
    const [{ data }] = await eventually(
      async () => analyzed(),
      (events) => events.length > 0,
    );
    assert.deepEqual(data, found, path);
    assert.equal(analyzed().length, 1);
  }
});

test('a report has the analyses, and waits for them where the agent says so', async () => {
  const clock = createTestClock();
  const { analyseCall: _, ...media } = createSandboxMedia({ clock, ringMs: 20 });
  const slow = await startService({ clock, media, env: { ...AT_ONCE, CALL_REPORT_DELAY_S: '30' } });
  timeIds(() => clock.now().getTime());
  clock.advance(60_000);
  await saveExtractor(slow, 'visit');
  const waiting = await analysing(slow, ['visit'], { report_waits_for_analyses: true });
  const hasty = await analysing(slow, ['visit']);
  const of = async (agent: string, path: string) =>
    endedCall(slow, agent, undefined, { callback_url: `${receiver.url}${path}` });
  const calls = [await of(waiting, '/waits'), await of(hasty, '/hastes')];
  const reports = (path: string) =>
    receiver.at(path).flatMap(({ body }) => (JSON.parse(body).type === 'call.report' ? JSON.parse(body).data : []));
  for (const seconds of [31, 31]) {
    clock.advance(seconds * 1000);
    await slow.app.reconcile();
  }
  await eventually(
    async () => reports('/hastes'),
    (found) => found.length > 0,
  );
  assert.deepEqual(reports('/waits'), []);
  const tasks = (await slow.request('POST', '/api/worker/tasks/claim', { body: { kind: 'analysis', capacity: 9 } }))
    .body.tasks;
  assert.equal(tasks.length, 2);
  const task = tasks.find(({ payload }: { payload: { call_id: string } }) => payload.call_id === calls[0]?.call_id);
  const result = {
    values: { outcome: 'none' },
    evidence: { outcome: [calls[0]?.lines[0]] },
    summary: null,
    success: false,
  };
  const { task_id, lease_token } = task;
  await slow.request('POST', `/api/worker/tasks/${task_id}/complete`, { body: { lease_token, result } });
  clock.advance(16_000);
  await slow.app.reconcile();
  const [{ analyses }] = await eventually(
    async () => reports('/waits'),
    (found) => found.length > 0,
  );
  assert.deepEqual(
    analyses.map(({ state, values, success }: { state: string; values: object; success: boolean }) => [
      state,
      values,
      success,
    ]),
    [['done', { outcome: 'none', was_friendly: null, guests: null, note: null, topics: null }, false]],
  );
  // A call whose worker never comes is reported after a quarter of an hour.
  const late = await of(waiting, '/late');
  assert.ok(late.call_id);
  for (let minute = 0; minute < 17 && reports('/late').length === 0; minute++) {
    clock.advance(60_000);
    await slow.app.reconcile();
  }
  const [report] = await eventually(
    async () => reports('/late'),
    (found) => found.length > 0,
  );
  assert.equal(report.analyses[0].state, 'queued');
  timeIds(Date.now);
  await slow.close();
});

test('values are counted by day, agent, version and value; an analysis that is repeated counts once', async () => {
  await saveExtractor(service, 'counted', { weights: { was_friendly: 1 } });
  const counting = await analysing(service, ['counted']);
  const calls = [await endedCall(service, counting), await endedCall(service, counting)];
  const none = await endedCall(service, counting, [['USER', 'Moved. You are not friendly.']]);
  for (const { call_id } of [...calls, none]) await analysed(service, call_id);
  const stats = async (query: string) => {
    const { status, body } = await send(service, 'GET', `/api/stats/analyses?extractor=counted&${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.groups;
  };
  const outcomes = [
    { value: 'booked', calls: 2, mean: null },
    { value: 'moved', calls: 1, mean: null },
  ];
  assert.deepEqual(await stats('field=outcome'), outcomes);
  assert.deepEqual(await stats(`field=outcome&agent_id=${counting}&agent_version=1`), outcomes);
  assert.deepEqual(await stats('field=outcome&agent_version=2'), []);
  const day = new Date().toISOString().slice(0, 10);
  assert.deepEqual(await stats('field=score&group_by=day,agent_version'), [
    { day, agent_version: 1, calls: 3, mean: 0.6667 },
  ]);
  assert.deepEqual(await stats(`field=was_friendly&group_by=agent&start_date=${day}`), [
    { agent_id: counting, calls: 3, mean: 0.6667 },
  ]);
  assert.deepEqual(await stats('field=note'), []);
  const before = await analysesOf(service, none.call_id);
  await send(service, 'POST', `/api/calls/${none.call_id}/analyses`, {});
  await eventually(
    () => analysesOf(service, none.call_id),
    ([one]) => one?.state === 'done' && one.ended_at !== before[0]?.ended_at,
  );
  assert.deepEqual(await stats('field=outcome'), outcomes);
  await sql`
    insert into analysis_rollups (user_id, day, agent_id, agent_version, extractor, field, value, calls, total)
    select 'many', date '2026-01-01' - n, '', 0, 'x', 'outcome', 'booked', 1, 0
    from generate_series(0, ${MAX_ANALYSIS_GROUPS}::integer) as n`.execute(db);
  const many = await send(service, 'GET', '/api/stats/analyses?field=outcome&group_by=day', undefined, 'many');
  assert.deepEqual(problemsOf(many), ['query.group_by too_many_groups']);
  await sql`delete from analysis_rollups where user_id = 'many'`.execute(db);
  const others = await send(service, 'GET', '/api/stats/analyses?field=outcome', undefined, 'other');
  assert.deepEqual(others.body.groups, []);
  assert.deepEqual(problemsOf(await send(service, 'GET', '/api/stats/analyses?field=a-b')), [
    'query.field string_pattern_mismatch',
  ]);
});

test('an erasure leaves no analysis, value, statistic or backfill; until then their bytes are counted', async () => {
  const { call_id } = await endedCall(service, agent_id);
  await analysed(service, call_id);
  const backfill = { extractor: 'visit', filter: {}, estimate: false };
  assert.equal((await send(service, 'POST', '/api/analyses/backfill', backfill)).status, 201);
  await service.app.reconcile();
  const { rows } = await sql<{ bytes: number }>`
    select sum(bytes)::integer as bytes from stored_content where user_id = ${USER}`.execute(db);
  const { stored_bytes } = (await send(service, 'GET', `/api/quotas/${USER}`, undefined, null)).body;
  assert.equal(stored_bytes, rows[0]?.bytes);
  assert.equal((await send(service, 'DELETE', `/api/users/${USER}`, undefined, null)).status, 200);
  await service.app.reconcile();
  for (const table of [
    'analyses',
    'analysis_values',
    'analysis_rollups',
    'analysis_backfills',
    'extractors',
    'extractor_versions',
  ] as const)
    assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table);
  const kinds = (await db.selectFrom('work').select('kind').execute()).map(({ kind }) => kind);
  assert.deepEqual(
    kinds.filter((kind) => /analys/.test(kind)),
    [],
  );
});

test('analyses are deleted with the transcripts that they quote, and statistics go on counting them', async () => {
  const clock = createTestClock();
  const media = createSandboxMedia({ clock, ringMs: 20 });
  const kept = await startService({ clock, media, env: { ...AT_ONCE, TRANSCRIPT_RETENTION_DAYS: '1' } });
  await saveExtractor(kept, 'visit');
  const { call_id } = await endedCall(kept, await analysing(kept, ['visit']));
  // Its clock stands still, and that of the ids goes on.
  clock.advance(60_000);
  await kept.app.reconcile();
  await analysed(kept, call_id);
  await kept.app.reconcile();
  assert.equal((await analysesOf(kept, call_id)).length, 1);
  clock.advance(2 * 24 * 60 * 60_000);
  await eventually(
    async () => {
      await kept.app.reconcile();
      return analysesOf(kept, call_id);
    },
    (found) => found.length === 0,
  );
  assert.deepEqual(await kept.database.db.selectFrom('analysis_values').selectAll().execute(), []);
  const { groups } = (await send(kept, 'GET', '/api/stats/analyses?field=outcome')).body;
  assert.deepEqual(groups, [{ value: 'booked', calls: 1, mean: null }]);
  await kept.close();
});
