import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { createCallRollups } from '../../src/conversations/stats/rebuild.ts';
import { ACCURACY } from '../../src/lib/histogram.ts';
import { problemsOf } from '../support/answers.ts';
import { readCsv } from '../support/csv.ts';
import { callStats, endAll, openCalls } from '../support/ended-calls.ts';

const GROUPS = ['day', 'agent', 'direction', 'end_reason', 'answered_by'] as const;
const FIELDS = { day: 'day', agent: 'agent_id', user: 'user_id' } as Record<string, string>;

const service = await startService();
const { db } = service.database;

const verify = (of: Service = service) => createCallRollups(of.database.db).verify();

interface Ended {
  [key: string]: string | number | null;
  ring_ms: number;
  talk_ms: number | null;
}

/** The ended calls of a user, with the names of their groups and their times: read from the sessions themselves. */
async function endedCalls(user_id: string): Promise<Ended[]> {
  const sessions = await db.selectFrom('sessions').selectAll().where('user_id', '=', user_id).execute();
  return sessions.flatMap((call) =>
    call.ended_at === null || call.call_status === null
      ? []
      : {
          day: call.created_at.toISOString().slice(0, 10),
          agent: call.agent_id,
          user: call.user_id,
          direction: call.call_direction ?? 'WEB',
          end_reason: call.end_reason,
          answered_by: call.answered_by,
          ring_ms: Math.max(0, (call.started_at ?? call.ended_at).getTime() - call.created_at.getTime()),
          talk_ms: call.started_at ? Math.round((call.duration ?? 0) * 1000) : null,
        },
  );
}

function assertTimes(given: Record<string, number> | null, exact_ms: number[]): void {
  if (exact_ms.length === 0) {
    assert.equal(given, null);
    return;
  }
  const sorted = exact_ms.toSorted((one, other) => one - other);
  assert.ok(given);
  assert.equal(given.mean_s, Math.round(sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length) / 1000);
  for (const [name, part] of [
    ['p50_s', 0.5],
    ['p95_s', 0.95],
  ] as const) {
    const exact = (sorted[Math.ceil(sorted.length * part) - 1] ?? 0) / 1000;
    assert.ok(
      Math.abs((given[name] ?? 0) - exact) <= exact * ACCURACY + 0.001,
      `${name}: ${given[name]}, not ${exact}`,
    );
  }
}

// biome-ignore lint/suspicious/noExplicitAny: an answer.
function assertFigures(given: any, calls: Ended[]): void {
  const talks = calls.flatMap(({ talk_ms }) => talk_ms ?? []);
  const rate = calls.length === 0 ? null : Math.round((talks.length / calls.length) * 10_000) / 10_000;
  assert.deepEqual([given.calls, given.answered, given.answer_rate], [calls.length, talks.length, rate]);
  assertTimes(
    given.ring,
    calls.map(({ ring_ms }) => ring_ms),
  );
  assertTimes(given.talk, talks);
}

test('the figures are those of the sessions, by any groups and with any filters', async () => {
  const user_id = 'exact';
  const agents = [await createAgent(service, { user_id, name: 'One' }), await createAgent(service, { user_id })];
  await endAll(
    service,
    await openCalls(
      service,
      user_id,
      [...agents, ''].map((id) => id || (agents[0] as string)),
      240,
    ),
  );
  const calls = await endedCalls(user_id);
  assert.ok(new Set(calls.map(({ end_reason }) => end_reason)).size >= 3);
  assert.ok(new Set(calls.map(({ day }) => day)).size >= 3);
  const filters: [string, (call: Ended) => boolean][] = [
    ['', () => true],
    [`&agent_id=${agents[1]}`, ({ agent }) => agent === agents[1]],
    ['&direction=WEB', ({ direction }) => direction === 'WEB'],
    ['&end_reason=canceled', ({ end_reason }) => end_reason === 'canceled'],
    ['&answered_by=human&direction=INBOUND', (one) => one.answered_by === 'human' && one.direction === 'INBOUND'],
    ['&start_date=2026-01-31&end_date=2026-02-01', ({ day }) => `${day}` >= '2026-01-31' && `${day}` <= '2026-02-01'],
    ['&end_date=2020-01-01', () => false],
  ];
  for (let mask = 0; mask < 2 ** GROUPS.length; mask++) {
    const names = GROUPS.filter((_, bit) => mask & (1 << bit));
    const [filter = '', has = () => true] = filters[mask % filters.length] ?? [];
    const query = names.length > 0 ? `?group_by=${names.join(',')}${filter}` : filter.replace('&', '?');
    const chosen = calls.filter(has);
    const { total, groups } = await callStats(service, query, user_id);
    assertFigures(total, chosen);
    const expected = Map.groupBy(chosen, (call) => JSON.stringify(names.map((name) => call[name])));
    assert.equal(groups.length, names.length === 0 ? 0 : expected.size, query);
    for (const group of groups)
      assertFigures(group, expected.get(JSON.stringify(names.map((name) => group[FIELDS[name] ?? name]))) ?? []);
    const keys = groups.map((group: Record<string, string>) => names.map((name) => group[FIELDS[name] ?? name] ?? ''));
    assert.equal(new Set(keys.map(String)).size, keys.length);
  }
  assert.deepEqual(await verify(), []);
});

test('calls of the sandbox are counted with their end, each once, by how they ended', async () => {
  const user = await startService();
  const agent_id = await createAgent(user, { name: 'Caller' });
  const ends = { '+15005550001': 'FAILED', '+15005550002': 'NO_ANSWER', '+15005550003': 'FAILED' };
  for (const [number, end] of Object.entries(ends))
    await reaches(user, (await placeCall(user, number, { agent_id })).call_id, end);
  const { call_id } = await answeredCall(user, { agent_id });
  const count = async () => (await callStats(user, '', USER)).total.calls;
  assert.equal(await count(), 3);
  await user.request('POST', `/api/calls/${call_id}/end`);
  await user.request('POST', `/api/calls/${call_id}/end`);
  const { total, groups } = await callStats(user, '?group_by=end_reason,agent', USER);
  assert.deepEqual([total.calls, total.answered, total.answer_rate], [4, 1, 0.25]);
  assert.deepEqual(
    groups.map((group: Record<string, unknown>) => [group.end_reason, group.agent_name, group.calls, group.answered]),
    [
      ['busy', 'Caller', 1, 0],
      ['declined', 'Caller', 1, 0],
      ['ended_by_user', 'Caller', 1, 1],
      ['no_answer', 'Caller', 1, 0],
    ],
  );
  // A conversation is no call.
  const { body } = await user.request('POST', '/api/sessions/', { body: { user_id: USER } });
  await user.request('PATCH', `/api/sessions/${body.id}`, { body: { duration: 9 } });
  assert.equal(await count(), 4);
  assert.deepEqual(await verify(user), []);
});

test('an outcome that is reported, and a duration that is corrected after the end move the call', async () => {
  const user_id = 'late';
  const [id = ''] = (await openCalls(service, user_id, [await createAgent(service, { user_id })], 2)).slice(1);
  await service.request('PATCH', `/api/sessions/${id}`, { body: { duration: 10 } });
  const outcome = async (body: object) =>
    assert.equal((await service.request('POST', `/api/calls/${id}/outcome`, { body })).status, 200);
  await outcome({ answered_by: 'human' });
  await outcome({ answered_by: 'voicemail', disposition: 'left a message' });
  await outcome({ disposition: 'none', hang_up: true });
  await service.request('PATCH', `/api/sessions/${id}`, { body: { duration: 100, metadata: { a: 1 } } });
  const { groups } = await callStats(service, '?group_by=answered_by', user_id);
  assert.deepEqual(
    groups.map((group: { answered_by: string; calls: number; talk: object }) => [group.answered_by, group.calls]),
    [['voicemail', 1]],
  );
  assert.equal(groups[0].talk.mean_s, 100);
  assert.deepEqual(await verify(), []);
});

test('a user sees its own calls, and who names none those of all', async () => {
  const own = await startService();
  for (const user_id of ['one', 'two'])
    await endAll(own, await openCalls(own, user_id, [await createAgent(own, { user_id })], 6));
  assert.deepEqual([(await callStats(own, '', 'one')).total.calls, (await callStats(own, '')).total.calls], [6, 12]);
  const { groups } = await callStats(own, '?group_by=user');
  assert.deepEqual(
    groups.map(({ user_id, calls }: { user_id: string; calls: number }) => [user_id, calls]),
    [
      ['one', 6],
      ['two', 6],
    ],
  );
  assert.equal((await callStats(own, '', 'nobody')).total.answer_rate, null);
});

test('as CSV it has the same figures, with a column for each group', async () => {
  const ask = async (query: string) =>
    readCsv(
      (await service.request('GET', `/api/stats/calls${query}`, { user: 'exact', headers: { accept: 'text/csv' } }))
        .body,
    );
  const { groups, total } = await callStats(service, '?group_by=direction,day', 'exact');
  const rows = await ask('?group_by=direction,day');
  assert.deepEqual(Object.keys(rows[0] ?? {}).slice(0, 3), ['direction', 'day', 'calls']);
  const cells = ({ ring, talk, ...group }: Record<string, Record<string, number> | null | string>) =>
    [
      group.direction,
      group.day,
      group.calls,
      group.answer_rate,
      (ring as { p95_s: number }).p95_s,
      (talk as { mean_s: number } | null)?.mean_s ?? '',
    ].map(String);
  assert.deepEqual(
    rows.map((row) => [row.direction, row.day, row.calls, row.answer_rate, row.ring_p95_s, row.talk_mean_s]),
    groups.map(cells),
  );
  const [all, ...others] = await ask('');
  assert.deepEqual([all?.calls, all?.talk_p50_s, others.length], [String(total.calls), String(total.talk.p50_s), 0]);
});

test('what it cannot be asked for is a 422; so are more than 10,000 groups', async () => {
  for (const [query, problem] of [
    ['group_by=hour', 'query.group_by string_pattern_mismatch'],
    ['group_by=', 'query.group_by string_pattern_mismatch'],
    ['direction=UP', 'query.direction enum'],
    ['start_date=2026-02-01&end_date=2026-01-01', 'query.end_date date_before_start'],
  ] as const)
    assert.deepEqual(problemsOf(await service.request('GET', `/api/stats/calls?${query}`)), [problem]);
  const own = await startService();
  await sql`
    insert into call_rollups
    select 'user', date '2000-01-01' + n, '', 'WEB', '', '', 'ring', 1, 1, 1 from generate_series(1, 10001) as n`.execute(
    own.database.db,
  );
  assert.deepEqual(problemsOf(await own.request('GET', '/api/stats/calls?group_by=day')), [
    'query.group_by too_many_groups',
  ]);
  assert.equal((await callStats(own, '?group_by=day&start_date=2000-01-03')).groups.length, 10_000);
});

test('the report reads no session: however many calls there were, it is the same work', async () => {
  const own = await startService();
  await endAll(own, await openCalls(own, 'flat', [await createAgent(own, { user_id: 'flat' })], 12));
  const before = await callStats(own, '?group_by=day,agent', 'flat');
  await sql`delete from session_events`.execute(own.database.db);
  await sql`delete from sessions`.execute(own.database.db);
  assert.deepEqual(await callStats(own, '?group_by=day,agent', 'flat'), before);
});
