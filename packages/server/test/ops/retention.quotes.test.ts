// Quotes of a call elsewhere are deleted with its words: in replays, recorded answers, callbacks, analyses to come.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { timeIds } from '../../src/lib/ids.ts';
import { AT_ONCE, analysesOf, analysing, endedCall, saveExtractor, served } from '../support/analyses.ts';
import { startChat } from '../support/chats.ts';
import { findStored } from '../support/stored-text.ts';
import { ended, resultsOf, send } from '../support/tests.ts';
import { tidy } from '../support/tidy.ts';

const DAY_MS = 24 * 3_600_000;
const SAID: [string, string][] = [
  ['AGENT', 'Good day.'],
  ['USER', 'My name is zebulon.'],
];

/** A clock that also counts for the age of rows, which is that of their ids. */
function idClock(t: TestContext) {
  const clock = createTestClock();
  timeIds(() => clock.now().getTime());
  t.after(() => timeIds(Date.now));
  return clock;
}

for (const [whose, config, env] of [
  ['its agent', { privacy: { keep: { transcripts_days: 2 } } }, {}],
  ['the installation', {}, { TRANSCRIPT_RETENTION_DAYS: '2', CALLBACK_RETENTION_DAYS: '60' }],
] as const)
  test(`a replay keeps the words of its call no longer than ${whose} does`, async () => {
    const clock = createTestClock();
    const service = await startService({ clock, env: { ...AT_ONCE, ...env } });
    const agent_id = await createAgent(service, { config: { instructions: 'We open at nine.', ...config } });
    const { call_id } = await endedCall(service, agent_id, SAID);
    const run = (await send(service, 'POST', `/api/calls/${call_id}/replay`, { agent_version: 1 })).body;
    const done = await ended(service, run);
    assert.match(JSON.stringify(await resultsOf(service, done)), /zebulon/);
    await sql`insert into cassettes (id, user_id, agent_id, agent_version, content, exchanges, recorded_at)
      values (${call_id}::uuid, ${USER}, ${agent_id}::uuid, 1, '{"said": "zebulon"}', 1, ${clock.now().toISOString()}::timestamptz)`.execute(
      service.database.db,
    );
    clock.advance(3 * DAY_MS);
    await tidy(service);
    const left = await findStored(service.database.db, ['zebulon']);
    assert.deepEqual(
      left.filter((one) => !one.startsWith('audit_log')),
      [],
    );
    const [result] = await resultsOf(service, done);
    assert.deepEqual([result?.status, result?.replay, result?.conversations], [done.status, null, []]);
    await service.close();
  });

test('a fork keeps the words of its chat no longer than the installation does', async (t) => {
  const clock = idClock(t);
  const service = await startService({ clock, env: { TRANSCRIPT_RETENTION_DAYS: '10' } });
  const chat_id = await startChat(service);
  await send(service, 'POST', `/api/chats/${chat_id}/messages`, { content: 'My name is zebulon.' });
  clock.advance(7 * DAY_MS);
  const fork = async (of: string, body: object = {}) =>
    (await send(service, 'POST', `/api/chats/${of}/fork`, body)).body.chat_id;
  const forks = [await fork(chat_id), await fork(chat_id, { to_message: null })] as const;
  clock.advance(2 * DAY_MS);
  const again = await fork(forks[0]);
  for (const id of [...forks, again]) await send(service, 'POST', `/api/chats/${id}/end`);
  const words = async () =>
    (await findStored(service.database.db, ['zebulon'])).filter((one) => one.startsWith('transcripts'));
  await tidy(service);
  assert.notDeepEqual(await words(), []);
  clock.advance(1.5 * DAY_MS);
  await tidy(service);
  assert.deepEqual(await words(), []);
  const { rows } = await sql<{ until: Date | null }>`
    select transcripts_until as until from sessions where id = ${forks[1]}::uuid`.execute(service.database.db);
  assert.deepEqual(rows, [{ until: null }]);
  await service.close();
});

test('what was read out of a call is deleted from its callbacks, delivered or not', async () => {
  const clock = createTestClock();
  const service = await startService({ clock, env: AT_ONCE });
  await saveExtractor(service, 'visit');
  const agent_id = await analysing(service, ['visit'], { privacy: { keep: { transcripts_days: 2 } } });
  const analyzed = () =>
    service.database.db
      .selectFrom('callbacks')
      .select(['type', 'status'])
      .where('type', '=', 'call.analyzed')
      .execute();
  await endedCall(service, agent_id, undefined, { callback_url: 'http://127.0.0.1:9/nobody' });
  await eventually(
    async () => {
      clock.advance(1000);
      await service.app.reconcile();
      return analyzed();
    },
    (found) => found.length === 1,
  );
  clock.advance(3 * DAY_MS);
  await tidy(service);
  assert.deepEqual(await analyzed(), []);
  await service.close();
});

test('what was read out of a call long after it is deleted from its callbacks with the analysis', async (t) => {
  const clock = idClock(t);
  const env = { ...AT_ONCE, TRANSCRIPT_RETENTION_DAYS: '30', CALLBACK_RETENTION_DAYS: '60' };
  const service = await startService({ clock, env });
  await saveExtractor(service, 'visit');
  const agent_id = await createAgent(service);
  const { call_id } = await endedCall(service, agent_id, undefined, { callback_url: 'http://127.0.0.1:9/nobody' });
  clock.advance(29 * DAY_MS);
  assert.equal((await send(service, 'POST', `/api/calls/${call_id}/analyses`, { extractors: ['visit'] })).status, 202);
  const events = async () => {
    await service.app.reconcile();
    const { items } = (await send(service, 'GET', `/api/callbacks?call_id=${call_id}&limit=100`)).body;
    return items.filter(({ type }: { type: string }) => type === 'call.analyzed');
  };
  await eventually(events, (found) => found.length === 1);
  clock.advance(2 * DAY_MS);
  await tidy(service);
  assert.deepEqual([await analysesOf(service, call_id), await events()], [[], []]);
  await service.close();
});

test('a backfill whose calls are deleted before they were analysed ends', async () => {
  const clock = createTestClock();
  const service = await served({ clock });
  await saveExtractor(service, 'visit');
  const agent_id = await createAgent(service, { config: { privacy: { keep: { transcripts_days: 2 } } } });
  const { call_id } = await endedCall(service, agent_id);
  const filter = { from: '2020-01-01T00:00:00+16:00' };
  const body = { extractor: 'visit', filter, estimate: false };
  const { backfill_id } = (await send(service, 'POST', '/api/analyses/backfill', body)).body;
  await eventually(
    async () => {
      await service.app.reconcile();
      return analysesOf(service, call_id);
    },
    (found) => found.length === 1,
  );
  clock.advance(3 * DAY_MS);
  await tidy(service);
  const { state, queued, failed } = (await send(service, 'GET', `/api/analyses/backfills/${backfill_id}`)).body;
  assert.deepEqual([state, queued, failed], ['done', 1, 1]);
  await service.close();
});

test('deleting metadata that was written late leaves what was read out of the call meanwhile', async (t) => {
  const clock = idClock(t);
  const service = await startService({ clock, env: { ...AT_ONCE, CALLBACK_RETENTION_DAYS: '60' } });
  await saveExtractor(service, 'visit');
  const agent_id = await createAgent(service, { config: { privacy: { keep: { metadata_days: 2 } } } });
  const { call_id } = await endedCall(service, agent_id, undefined, { callback_url: 'http://127.0.0.1:9/nobody' });
  clock.advance(3 * DAY_MS);
  await tidy(service);
  await send(service, 'POST', `/api/calls/${call_id}/analyses`, { extractors: ['visit'] });
  const events = async () => {
    await service.app.reconcile();
    const { items } = (await send(service, 'GET', `/api/callbacks?call_id=${call_id}&limit=100`)).body;
    return items.filter(({ type }: { type: string }) => type === 'call.analyzed');
  };
  await eventually(events, (found) => found.length === 1);
  const late = { metadata: { note: 'zebulon' } };
  assert.equal((await service.request('PATCH', `/api/sessions/${call_id}`, { body: late })).status, 200);
  clock.advance(DAY_MS);
  await tidy(service);
  assert.deepEqual(await findStored(service.database.db, ['zebulon']), []);
  assert.equal((await events()).length, 1);
  await service.close();
});
