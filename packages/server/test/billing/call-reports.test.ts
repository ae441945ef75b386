import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { Compile } from 'typebox/compile';
import { CallReportData } from '../../src/billing/reports/schema.ts';
import { timeIds } from '../../src/lib/ids.ts';
import { setPrices } from '../support/lines.ts';

const receiver = await startReceiver();
const { url: base, at } = receiver;
const MINUTE_MS = 60_000;
const clock = createTestClock();
const service = await startService({ clock, env: { CALLS_PER_SECOND: '100' } });
const { db } = service.database;
// As in a process of its own: when something arrived is told by its id.
timeIds(() => clock.now().getTime());
// Beyond the ids that were made at the start, which the next ones would otherwise go on from.
clock.advance(MINUTE_MS);

const send = (method: string, path: string, body?: object, user = USER) =>
  service.request(method, path, { user, ...(body && { body }) });
const reports = (path: string) =>
  at(path)
    .map(({ headers, body }) => ({ id: headers['webhook-id'], ...JSON.parse(body) }))
    .filter(({ type }) => type === 'call.report');
const rows = (of: Pick<Service, 'database'> = service) =>
  of.database.db.selectFrom('callbacks').selectAll().where('type', '=', 'call.report').execute();
const reported = (path: string, count = 1) =>
  eventually(
    async () => reports(path),
    (deliveries) => deliveries.length >= count,
  );
const pass = async (ms: number) => {
  clock.advance(ms);
  await service.app.reconcile();
};
const endpoint = async (path: string, events: string[] | null = null) =>
  (await send('POST', '/api/webhook-endpoints', { url: `${base}${path}`, events })).body.id;
const usage = (session_id: string, total_cost: string) =>
  service.request('POST', '/api/usage/events', {
    body: {
      session_id,
      user_id: USER,
      provider: 'openai',
      event_type: 'llm_tokens',
      quantity: 1,
      unit_cost: total_cost,
      total_cost,
    },
  });

test('the report of a call has its state, data, outcome, transfers, transcript and costs, with the line', async () => {
  await setPrices(service, [['1', null, '0.5', '60/60']]);
  const { call_id, room_name } = await answeredCall(service, { callback_url: `${base}/whole` });
  const say = (content: string, speaker: string) =>
    send('POST', `/api/sessions/by-room/${room_name}/transcripts`, { content, speaker });
  await say('Hello?', 'USER');
  await usage(call_id, '0.02');
  await send('POST', `/api/sessions/${call_id}/transfer`, { phone_number: '+15005550001' });
  await send('POST', `/api/calls/${call_id}/outcome`, { answered_by: 'human', disposition: 'booked' });
  await send('POST', `/api/calls/${call_id}/end`);
  await say('Goodbye.', 'AGENT');
  await usage(call_id, '0.003');
  await service.app.reconcile();
  assert.deepEqual(reports('/whole'), [], 'not before the delay');
  await pass(31_000);
  const [{ type, timestamp, data }] = await reported('/whole');
  assert.deepEqual([type, new Date(timestamp).toISOString()], ['call.report', timestamp]);
  const shown = (await send('GET', `/api/calls/${call_id}`)).body;
  const { transcript, is_transcript_complete, analyses, costs, ...call } = data;
  assert.deepEqual(analyses, []);
  const { timeline: _timeline, keys: _keys, ...expected } = shown;
  assert.deepEqual(Object.keys(call).sort(), Object.keys(expected).sort());
  for (const name of Object.keys(expected).filter((one) => one !== 'transfers'))
    assert.deepEqual([name, call[name]], [name, expected[name]]);
  assert.deepEqual([call.call_status, call.answered_by, call.disposition], ['COMPLETED', 'human', 'booked']);
  assert.deepEqual(
    call.transfers.map(({ status, reason }: { status: string; reason: string }) => [status, reason]),
    [['failed', 'busy']],
  );
  const lines = transcript.map(({ speaker, content }: { speaker: string; content: string }) => [speaker, content]);
  assert.deepEqual(lines, [
    ['USER', 'Hello?'],
    ['AGENT', 'Goodbye.'],
  ]);
  assert.deepEqual([is_transcript_complete, costs.total_cost], [true, '0.523']);
  assert.deepEqual(costs.by_provider, { openai: '0.023', sandbox: '0.5' });
  assert.deepEqual(costs.by_event_type, { llm_tokens: '0.023', media_minutes: '0', telephony_minutes: '0.5' });
  assert.ok(Compile(CallReportData).Check(data), JSON.stringify([...Compile(CallReportData).Errors(data)]));
});

test('a report waits while something still arrives, and no longer than a quarter of an hour', async () => {
  const { call_id, room_name } = await answeredCall(service, { callback_url: `${base}/late` });
  await send('POST', `/api/calls/${call_id}/end`);
  const begun = clock.now().getTime();
  const waited = () => clock.now().getTime() - begun;
  const isMade = async () =>
    (await rows()).some(({ session_id, payload }) => session_id === call_id && payload !== null);
  while (!(await isMade())) {
    await send('POST', `/api/sessions/by-room/${room_name}/transcripts`, { content: 'one more' });
    await pass(28_000); // Just less than what it waits for.
    assert.ok(waited() < 16 * MINUTE_MS, 'it is made at last');
  }
  assert.ok(waited() >= 14 * MINUTE_MS, `${waited()} ms`);
  const [{ data }] = await reported('/late');
  assert.ok(data.transcript.length >= 30, `${data.transcript.length} lines`);
});

test('a transcript that has no room in its report is cut, and says so', async () => {
  const long = await answeredCall(service, { callback_url: `${base}/long` });
  const large = await answeredCall(service, { callback_url: `${base}/large` });
  // Written at once: it is the length that is the matter.
  await sql`insert into transcripts (id, session_id, speaker, content, timestamp, seq)
    select overlay(id_from(now())::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, ${long.call_id}::uuid, 'USER', 'x', now(), n
    from generate_series(1, 5001) as n`.execute(db);
  for (let line = 0; line < 18; line++) {
    const content = 'x'.repeat(65_536);
    await send('POST', `/api/sessions/by-room/${large.room_name}/transcripts`, { content });
  }
  for (const { call_id } of [long, large]) await send('POST', `/api/calls/${call_id}/end`);
  await pass(31_000);
  const [ofLong] = await reported('/long');
  const [ofLarge] = await reported('/large');
  assert.deepEqual([ofLong.data.transcript.length, ofLong.data.is_transcript_complete], [5000, false]);
  assert.deepEqual([ofLarge.data.transcript.length, ofLarge.data.is_transcript_complete], [16, false]);
});

test('usage and outcomes that come late put a report off as well', async () => {
  const { call_id } = await answeredCall(service, { callback_url: `${base}/usage` });
  await send('POST', `/api/calls/${call_id}/end`);
  clock.advance(20_000);
  await usage(call_id, '1');
  await pass(15_000);
  clock.advance(10_000);
  await send('POST', `/api/calls/${call_id}/outcome`, { disposition: 'late' });
  await pass(25_000);
  assert.deepEqual(reports('/usage'), []);
  await pass(10_000);
  const [{ data }] = await reported('/usage');
  assert.deepEqual([data.costs.total_cost, data.disposition], ['1.5', 'late'], 'with half for the line');
});

test('each destination gets one report: callback_url and subscribed endpoints; an unanswered call has one too', async () => {
  const [all, only, none] = [
    await endpoint('/all'),
    await endpoint('/only', ['call.report']),
    await endpoint('/none', ['call.failed']),
  ];
  const { call_id } = await placeCall(service, '+15005550001', { callback_url: `${base}/own` });
  await reaches(service, call_id, 'FAILED');
  await pass(31_000);
  await pass(31_000);
  for (const path of ['/all', '/only', '/own']) {
    const [{ data }] = await reported(path);
    assert.deepEqual([data.call_id, data.end_reason, data.sip_status_code], [call_id, 'busy', 486]);
    assert.equal(reports(path).length, 1);
  }
  assert.deepEqual(reports('/none'), []);
  assert.equal(at('/only').length, 1);
  for (const id of [all, only, none]) await send('DELETE', `/api/webhook-endpoints/${id}`);
});

test('a pending report is neither listed nor redelivered; once made it is both', async () => {
  const { call_id } = await placeCall(service, '+15005550001', { callback_url: `${base}/listed` });
  await reaches(service, call_id, 'FAILED');
  const list = async () => (await send('GET', `/api/callbacks?call_id=${call_id}`)).body.items;
  const [row] = (await rows()).filter(({ session_id }) => session_id === call_id);
  assert.deepEqual(
    (await list()).map(({ type }: { type: string }) => type),
    ['call.failed'],
  );
  assert.equal((await send('POST', `/api/callbacks/${row?.id}/redeliver`)).status, 404);
  await pass(31_000);
  await reported('/listed');
  // Before its first attempt is written down, a callback that is delivered again would be sent once.
  await eventually(list, (items: { type: string; status: string }[]) =>
    items.some(({ type, status }) => type === 'call.report' && status === 'delivered'),
  );
  assert.equal((await send('POST', `/api/callbacks/${row?.id}/redeliver`)).status, 200);
  const deliveries = await reported('/listed', 2);
  assert.equal(new Set(deliveries.map(({ id }) => id)).size, 1);
});

test('the database holds one report of a call for each destination', async () => {
  const [row] = await rows();
  assert.ok(row);
  const copy = { ...row, id: '01980000-0000-7000-8000-00000000ffff' };
  await assert.rejects(db.insertInto('callbacks').values(copy).execute(), /callbacks_one_report/);
});

test('replicas that make reports at the same time make each once, and one that was stopped leaves its reports to the next', async () => {
  const database = await openTestDatabase(true);
  const own = { database, clock, env: { CALLS_PER_SECOND: '100' } };
  const first = await startService(own);
  const body = { url: `${base}/replicas` };
  await first.request('POST', '/api/webhook-endpoints', { user: USER, body });
  const agent_id = await createAgent(first);
  const calls = await Promise.all(Array.from({ length: 12 }, () => placeCall(first, '+15005550001', { agent_id })));
  for (const { call_id } of calls) await reaches(first, call_id, 'FAILED');
  await first.close();
  clock.advance(31_000);
  const replicas = [await startService(own), await startService(own), await startService(own)];
  await Promise.all(replicas.map(({ app }) => app.reconcile()));
  const deliveries = await reported('/replicas', 12);
  assert.equal(new Set(deliveries.map(({ id }) => id)).size, 12);
  assert.equal(new Set(deliveries.map(({ data }) => data.call_id)).size, 12);
  assert.equal((await rows({ database })).length, 12);
  for (const replica of replicas) await replica.close();
  await database.close();
});

test('reports that cannot be made are tried again', async () => {
  const broken = await placeCall(service, '+15005550001', { callback_url: `${base}/broken` });
  const good = await placeCall(service, '+15005550001', { callback_url: `${base}/good` });
  for (const { call_id } of [broken, good]) await reaches(service, call_id, 'FAILED');
  await sql`alter table transfers rename to transfers_away`.execute(db);
  await pass(31_000);
  assert.deepEqual([reports('/broken'), reports('/good')], [[], []]);
  await sql`alter table transfers_away rename to transfers`.execute(db);
  await pass(61_000);
  await reported('/broken');
  await reported('/good');
});

test('an erasure takes reports, made and not made', async () => {
  const { call_id } = await placeCall(service, '+15005550001', { callback_url: `${base}/erased` });
  await reaches(service, call_id, 'FAILED');
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
  assert.deepEqual(await rows(), []);
  await pass(31_000);
  assert.deepEqual(reports('/erased'), []);
});

test('reports are deleted at the age of transcripts, other callbacks are not', async () => {
  const own = await startService({ clock, env: { TRANSCRIPT_RETENTION_DAYS: '30' } });
  const { call_id } = await placeCall(own, '+15005550001', { callback_url: `${base}/aged` });
  await reaches(own, call_id, 'FAILED');
  clock.advance(31_000);
  await own.app.reconcile();
  await reported('/aged');
  const types = async () => {
    const found = await own.database.db.selectFrom('callbacks').select(['type', 'status']).execute();
    return found.map(({ type, status }) => `${type} ${status}`).sort();
  };
  await eventually(types, (found) => found.every((one) => one.endsWith('delivered')));
  clock.advance(31 * 24 * 60 * MINUTE_MS);
  await own.app.reconcile();
  assert.deepEqual(await types(), ['call.failed delivered']);
});
