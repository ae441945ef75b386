import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { createCallRollups } from '../../src/conversations/stats/rebuild.ts';
import { createRollups } from '../../src/ledger/usage/rollups.ts';
import { problemsOf } from '../support/answers.ts';
import { readCsv } from '../support/csv.ts';
import { MORNING, nightAgent } from '../support/versions.ts';

const service = await startService();
const used = { user_id: USER, provider: 'openai', event_type: 'llm_output_tokens', model: 'gpt' };
const firstAudio = (turn_index: number, first_audio_ms: number) => ({
  turn_index,
  end_of_speech_at: '2026-01-15T09:30:04.120Z',
  model: turn_index % 2 === 0 ? 'gpt' : 'other',
  first_audio_ms,
});

/** An answered call with one version of an agent: a turn a latency, an event a cost; then it ends. */
async function call(of: Service, agent_id: string, agent_version: number, latencies: number[], costs: string[]) {
  const { call_id } = await answeredCall(of, { agent_id, agent_version });
  const turns = latencies.map((ms, index) => firstAudio(index, ms));
  await of.request('POST', `/api/sessions/${call_id}/turns`, { body: { turns } });
  const events = costs.map((unit_cost) => ({ ...used, session_id: call_id, agent_id, quantity: '1', unit_cost }));
  const logged = await of.request('POST', '/api/usage/events/batch', { body: { events } });
  assert.equal(logged.status, 201, JSON.stringify(logged.body));
  await of.request('POST', `/api/calls/${call_id}/end`);
  return call_id;
}

/** An agent that has had two calls with version 1, and one with version 2. */
async function comparedAgent(of: Service) {
  const agent = await nightAgent(of, USER);
  const second = await agent.made(MORNING);
  await call(of, agent.id, 1, [800, 900], ['0.25']);
  await call(of, agent.id, 1, [1000], ['0.25', '0.5']);
  const last = await call(of, agent.id, second, [100, 110], ['0.125']);
  return { ...agent, last };
}

const read = async (of: Service, route: string, user = USER) => {
  const { status, body } = await of.request('GET', route, { user });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const isOfAgent = (agent_id: string) => `provider=openai&agent_id=${agent_id}`;
const costs = async (of: Service, query: string, user = USER) =>
  (await read(of, `/api/costs/report?${query}`, user)).items.map(
    (group: { agent_version: number | null; total_cost: string }) => [group.agent_version, group.total_cost],
  );
const calls = async (of: Service, query: string) =>
  (await read(of, `/api/stats/calls?${query}`)).groups.map((group: { agent_version: number | null; calls: number }) => [
    group.agent_version,
    group.calls,
  ]);
const latency = async (of: Service, query: string) =>
  (await read(of, `/api/stats/latency?${query}`)).groups.map(
    (group: {
      agent_version: number | null;
      model: string | null;
      first_audio: { turns: number; mean_ms: number };
    }) => [group.agent_version, group.model, group.first_audio.turns, group.first_audio.mean_ms],
  );

test('costs, calls and latencies are those of each version, by group and by filter', async () => {
  const { id } = await comparedAgent(service);
  const of = isOfAgent(id);
  assert.deepEqual(await costs(service, `group_by=agent_version&${of}`), [
    [1, '1'],
    [2, '0.125'],
  ]);
  assert.deepEqual(await costs(service, `group_by=agent_version&${of}&agent_version=2`), [[2, '0.125']]);
  assert.deepEqual(await calls(service, `group_by=agent_version&agent_id=${id}`), [
    [1, 2],
    [2, 1],
  ]);
  assert.equal((await read(service, `/api/stats/calls?agent_id=${id}&agent_version=1`)).total.calls, 2);
  assert.deepEqual(await latency(service, `group_by=agent_version&agent_id=${id}`), [
    [1, null, 3, 900],
    [2, null, 2, 105],
  ]);
  assert.deepEqual(await latency(service, `group_by=model,agent_version&agent_id=${id}&agent_version=2`), [
    [2, 'gpt', 1, 100],
    [2, 'other', 1, 110],
  ]);
  assert.equal((await read(service, `/api/stats/latency?agent_id=${id}`)).total.first_audio.turns, 5);
  assert.deepEqual(problemsOf(await service.request('GET', '/api/stats/latency?group_by=user', { user: USER })), [
    'query.group_by string_pattern_mismatch',
  ]);
});

test('the files of both reports have a column with the version', async () => {
  const { id } = await comparedAgent(service);
  for (const [route, figure, expected] of [
    [`/api/costs/report?group_by=agent_version&${isOfAgent(id)}`, 'total_cost', ['1 1', '2 0.125']],
    [`/api/stats/calls?group_by=agent_version&agent_id=${id}`, 'calls', ['1 2', '2 1']],
  ] as const) {
    const { body } = await service.request('GET', route, { user: USER, headers: { accept: 'text/csv' } });
    assert.deepEqual(
      readCsv(String(body)).map((row) => `${row.agent_version} ${row[figure]}`),
      expected,
    );
  }
});

test('pages of a report are in the order of the numbers: 2 before 10', async () => {
  const agent = await nightAgent(service, USER);
  const versions = [1];
  for (let number = 2; number <= 11; number++) versions.push(await agent.made({ greeting: `Greeting ${number}.` }));
  for (const version of versions.toReversed()) await call(service, agent.id, version, [], [`0.${version}`]);
  const seen: number[] = [];
  for (let cursor = ''; ; ) {
    const query = `group_by=agent_version&limit=2&${isOfAgent(agent.id)}${cursor && `&cursor=${cursor}`}`;
    const page = await read(service, `/api/costs/report?${query}`);
    seen.push(...page.items.map((group: { agent_version: number }) => group.agent_version));
    if (page.next_cursor === null) break;
    cursor = encodeURIComponent(page.next_cursor);
    const other = await service.request('GET', `/api/costs/report?${query}&agent_version=1&cursor=${cursor}`, {
      user: USER,
    });
    assert.equal(other.status, 422);
  }
  assert.deepEqual(seen, versions);
});

test('an event of another agent, of no session, or priced later counts for the right version', async () => {
  const { id, last } = await comparedAgent(service);
  const event = { ...used, quantity: '1', model: 'priced later' };
  const events = [
    { ...event, session_id: last, agent_id: id },
    { ...event, session_id: last, agent_id: 'another', unit_cost: '1' },
    { ...event, session_id: 'no session', agent_id: id, unit_cost: '2' },
    { ...event, session_id: last.toUpperCase(), agent_id: id, unit_cost: '4' },
  ];
  assert.equal((await service.request('POST', '/api/usage/events/batch', { body: { events } })).status, 201);
  const entry = { provider: 'openai', event_type: 'llm_output_tokens', model: 'priced later', price: '8' };
  const day = new Date().toISOString().slice(0, 10);
  const put = await service.request('PUT', '/api/prices', { body: { entries: [{ ...entry, valid_from: day }] } });
  assert.equal(put.status, 200, JSON.stringify(put.body));
  assert.equal((await service.request('POST', '/api/prices/apply')).status, 200);
  const later = `group_by=agent_version&model=${encodeURIComponent('priced later')}`;
  assert.deepEqual(await costs(service, `${later}&agent_id=${id}`), [
    [null, '2'],
    [2, '12'],
  ]);
  assert.deepEqual(await costs(service, `${later}&agent_id=another`), [[null, '1']]);
});

test('figures by version are rebuilt as they were, and those of an erased user are gone', async () => {
  const own = await startService();
  const { id } = await comparedAgent(own);
  const all = async () => [
    await costs(own, `group_by=agent_version&${isOfAgent(id)}`),
    await calls(own, `group_by=agent_version&agent_id=${id}`),
  ];
  const before = await all();
  const [usage, stats] = [createRollups(own.database.db), createCallRollups(own.database.db)];
  await sql`update usage_rollups set agent_version = 3 where agent_version = 2`.execute(own.database.db);
  await sql`update call_rollups set agent_version = 3 where agent_version = 2`.execute(own.database.db);
  assert.equal((await usage.verify(() => {})).wrong.length, 1);
  assert.deepEqual(await stats.verify(), [`${USER} calls`]);
  await usage.rebuild(() => {});
  await stats.rebuild();
  assert.deepEqual(await all(), before);
  const erased = await own.request('DELETE', `/api/users/${USER}`);
  assert.equal(erased.status, 200);
  assert.deepEqual(await calls(own, 'group_by=agent_version'), []);
  assert.deepEqual(await latency(own, 'group_by=agent_version'), []);
  // The ledger is kept, under a pseudonym.
  const { pseudonym } = erased.body;
  assert.deepEqual(await costs(own, `group_by=agent_version&provider=openai`, pseudonym), before[0]);
  assert.deepEqual((await usage.verify(() => {})).wrong, []);
  await own.close();
});

test('after an upgrade calls and turns that had a version count for it', async () => {
  const own = await startService();
  const { id } = await comparedAgent(own);
  const { db } = own.database;
  const all = async () => [
    await calls(own, `group_by=agent_version&agent_id=${id}`),
    await latency(own, `group_by=agent_version,model&agent_id=${id}`),
  ];
  const before = await all();
  // As they were before: without versions.
  for (const [table, key, figures] of [
    ['call_rollups', 'user_id, day, agent_id, direction, end_reason, answered_by, metric, bucket', 'calls, total_ms'],
    ['turn_rollups', 'user_id, day, agent_id, model, metric, bucket', 'turns, total_ms'],
  ] as const) {
    const sums = figures.split(', ').map((figure) => `sum(${figure})`);
    await sql
      .raw(
        `with old as (delete from ${table} returning *)
         insert into ${table} (${key}, ${figures}) select ${key}, ${sums.join(', ')} from old group by ${key}`,
      )
      .execute(db);
  }
  assert.deepEqual(await calls(own, `group_by=agent_version&agent_id=${id}`), [[null, 3]]);
  const migration = path.resolve(import.meta.dirname, '../../src/db/migrations/0068_figures_by_version.sql');
  for (const [statement] of readFileSync(migration, 'utf8').matchAll(/^with moved[\s\S]*?;$/gm))
    await sql.raw(statement).execute(db);
  assert.deepEqual(await all(), before);
  assert.deepEqual(await createCallRollups(db).verify(), []);
  await own.close();
});
