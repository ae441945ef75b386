import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { AT_ONCE, analysesOf, analysing, endedCall, saveExtractor } from '../support/analyses.ts';
import { findStored } from '../support/stored-text.ts';
import { tidy } from '../support/tidy.ts';

const DAY_MS = 24 * 3_600_000;
const WORDS = ['zebulon', 'a-variable', 'a-metadatum', 'a-session-value', 'a-header'];

const stored = (service: Service) => findStored(service.database.db, WORDS);
const post = (service: Service, path: string, body: object = {}) => service.request('POST', path, { user: USER, body });

/** A call with words, variables, metadata and data, whose report is delivered. */
async function talk(service: Service, clock: ReturnType<typeof createTestClock>, keep: object | undefined) {
  const receiver = await startReceiver();
  const agent_id = await createAgent(service, { config: keep ? { privacy: { keep } } : {} });
  const { call_id, room_name } = await placeCall(service, '+15005550100', {
    agent_id,
    callback_url: `${receiver.url}/all`,
    variables: { one: 'a-variable' },
    metadata: { one: 'a-metadatum' },
    ...(keep && { sip_headers: { 'X-One': 'a-header' } }),
  });
  await reaches(service, call_id, 'ANSWERED');
  await service.request('PATCH', `/api/sessions/${call_id}`, { body: { metadata: { one: 'a-session-value' } } });
  await post(service, `/api/sessions/by-room/${room_name}/transcripts`, { content: 'zebulon' });
  await post(service, `/api/calls/${call_id}/end`);
  await eventually(
    async () => {
      clock.advance(61_000);
      await service.app.reconcile();
      const { items } = (await service.request('GET', `/api/callbacks?call_id=${call_id}`, { user: USER })).body;
      return items.filter(
        ({ type, status }: { type: string; status: string }) => type === 'call.report' && status === 'delivered',
      );
    },
    (reports) => reports.length === 1,
  );
  return { call_id, room_name };
}

test('what an agent keeps for less time than the installation is deleted then: words, index, report, data', async () => {
  const clock = createTestClock();
  const service = await startService({ clock, env: { SIP_HEADERS_OUT: 'X-One' } });
  const { call_id } = await talk(service, clock, { transcripts_days: 2, metadata_days: 4 });
  const all = await stored(service);
  for (const one of ['transcripts: zebulon', 'call_words: zebulon', 'callbacks: zebulon', 'sessions: a-variable'])
    assert.ok(all.includes(one), `${one} in ${all}`);
  clock.advance(1.5 * DAY_MS);
  await tidy(service);
  assert.ok((await stored(service)).includes('transcripts: zebulon'), 'not yet');
  clock.advance(DAY_MS);
  await tidy(service);
  assert.deepEqual(
    (await stored(service)).filter((one) => !one.startsWith('audit_log')),
    ['sessions: a-variable', 'sessions: a-metadatum', 'sessions: a-session-value', 'sessions: a-header'],
  );
  clock.advance(2 * DAY_MS);
  await tidy(service);
  assert.deepEqual(await stored(service), []);
  // The call itself stays, with its duration and outcome.
  const { call_status, sip } = (await service.request('GET', `/api/calls/${call_id}`)).body;
  assert.deepEqual([call_status, sip.headers_out], ['COMPLETED', {}]);
  assert.match(sip.bridge_call_id, /^SCL_/);
});

test('data that is written once the data of its call was deleted is deleted in the next round', async () => {
  const clock = createTestClock();
  const service = await startService({ clock, env: { SIP_HEADERS_OUT: 'X-One' } });
  const { call_id } = await talk(service, clock, { metadata_days: 2 });
  const write = (id: string) =>
    service.request('PATCH', `/api/sessions/${id}`, { body: { metadata: { two: 'a-session-value' } } });
  clock.advance(3 * DAY_MS);
  await tidy(service);
  for (let round = 0; round < 2; round++) {
    assert.equal((await write(call_id)).status, 200);
    assert.ok((await stored(service)).includes('sessions: a-session-value'));
    clock.advance(DAY_MS / 12);
    await tidy(service);
    assert.ok(!(await stored(service)).includes('sessions: a-session-value'));
  }
  // It stays in a call whose agent says nothing.
  const other = await talk(service, clock, undefined);
  clock.advance(3 * DAY_MS);
  await write(other.call_id);
  await tidy(service);
  assert.ok((await stored(service)).includes('sessions: a-session-value'));
});

test('what was read out of a call is deleted with its words', async () => {
  const clock = createTestClock();
  const service = await startService({ clock, env: AT_ONCE });
  await saveExtractor(service, 'visit');
  const agent_id = await analysing(service, ['visit'], { privacy: { keep: { transcripts_days: 2 } } });
  const { call_id } = await endedCall(service, agent_id);
  await eventually(
    async () => {
      clock.advance(1000);
      await service.app.reconcile();
      return analysesOf(service, call_id);
    },
    ([analysis]) => analysis?.state === 'done',
  );
  clock.advance(3 * DAY_MS);
  await tidy(service);
  assert.deepEqual(await analysesOf(service, call_id), []);
  assert.equal((await service.database.db.selectFrom('analysis_values').selectAll().execute()).length, 0);
});

test('without `keep` nothing is deleted, and the limits of another agent do not count', async () => {
  const clock = createTestClock();
  const service = await startService({ clock });
  await talk(service, clock, undefined);
  clock.advance(400 * DAY_MS);
  await tidy(service);
  assert.ok((await stored(service)).includes('transcripts: zebulon'));
});

test('recordings are deleted with their audio', async () => {
  const clock = createTestClock();
  const service = await startService({ clock });
  const agent_id = await createAgent(service, {
    config: { recording: { enabled: true }, privacy: { keep: { recordings_days: 2 } } },
  });
  const { call_id } = await answeredCall(service, { agent_id });
  const id = '01980000-0000-7000-8000-000000000009';
  const { status } = await service.request('PUT', `/api/sessions/${call_id}/recordings/${id}`, {
    body: { state: 'waiting_for_consent', channels: 'stereo' },
  });
  assert.ok(status < 300, String(status));
  await post(service, `/api/calls/${call_id}/end`);
  const recordings = async () =>
    (await service.request('GET', `/api/calls/${call_id}/recordings`)).body.recordings.length;
  clock.advance(1.9 * DAY_MS);
  await tidy(service);
  assert.equal(await recordings(), 1);
  clock.advance(DAY_MS);
  await tidy(service);
  assert.equal(await recordings(), 0);
  const removal = service.database.db.selectFrom('work').select('key').where('kind', '=', 'recording_removal');
  await eventually(
    async () => {
      await service.app.reconcile();
      return removal.execute();
    },
    (left) => left.length === 0,
  );
});
