import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { newId } from '../../src/lib/ids.ts';
import { assertRefused } from '../support/answers.ts';
import { findStored } from '../support/stored-text.ts';
import { tidy } from '../support/tidy.ts';

const DAY_MS = 24 * 3_600_000;
const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-hold-'));
after(() => rm(dir, { recursive: true }));
const DAYS = { TRANSCRIPT_RETENTION_DAYS: '10', RECORDING_RETENTION_DAYS: '10', CALLBACK_RETENTION_DAYS: '10' };

const start = (clock = createTestClock()) => startService({ clock, env: { ...DAYS, RECORDINGS_DIR: dir } });
const hold = (service: Service, legal_hold: boolean) =>
  service.request('PATCH', `/api/users/${USER}`, { body: { legal_hold } });
const erase = (service: Service) => service.request('DELETE', `/api/users/${USER}`);

/** An ended call with words, metadata, a report and a stored recording. */
async function talk(service: Service, config: object = {}) {
  const agent_id = await createAgent(service, { config: { recording: { enabled: true }, ...config } });
  const { call_id, room_name } = await placeCall(service, '+15005550100', {
    agent_id,
    metadata: { one: 'a-metadatum' },
  });
  await reaches(service, call_id, 'ANSWERED');
  const of = recorder(service, call_id);
  await of.report('waiting_for_consent');
  await of.report('recording');
  await of.add(segment(0));
  await of.report('ended', { segments: 1 });
  const said = { user: USER, body: { content: 'zebulon' } };
  await service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, said);
  await service.request('POST', `/api/calls/${call_id}/end`, { user: USER, body: {} });
  const recording = `/api/calls/${call_id}/recordings/${of.recording_id}`;
  await eventually(
    async () => {
      await service.app.reconcile();
      return (await service.request('GET', `/api/calls/${call_id}/recordings`, { user: USER })).body.recordings[0];
    },
    ({ state }) => state === 'stored',
  );
  return { agent_id, call_id, recording, audio: path.join(dir, of.recording_id) };
}

const stored = async (service: Service) =>
  (await findStored(service.database.db, ['zebulon', 'a-metadatum'])).filter((one) => !one.startsWith('audit_log'));
const KEPT = ['transcripts: zebulon', 'call_words: zebulon', 'sessions: a-metadatum'];

async function assertKept(service: Service, { audio }: { audio: string }): Promise<void> {
  const all = await stored(service);
  for (const one of KEPT) assert.ok(all.includes(one), `${one} in ${all}`);
  assert.equal((await readdir(audio)).length, 1, 'the audio');
}

for (const what of ['user', 'agent'] as const)
  test(`what a hold of the ${what} keeps is deleted by no retention until it is lifted`, async () => {
    const clock = createTestClock();
    const service = await start(clock);
    const keep = { privacy: { keep: { transcripts_days: 2, recordings_days: 2, metadata_days: 2 } } };
    const call = await talk(service, keep);
    const other = await talk(service);
    const set = (legal_hold: boolean) =>
      what === 'user'
        ? hold(service, legal_hold)
        : service.request('PUT', `/api/agents/${call.agent_id}/legal-hold`, { body: { legal_hold } });
    const answer = await set(true);
    assert.deepEqual([answer.status, answer.body.legal_hold], [200, true]);
    clock.advance(20 * DAY_MS);
    await tidy(service);
    await assertKept(service, call);
    const isOtherKept = await readdir(other.audio).then(
      () => true,
      () => false,
    );
    assert.equal(isOtherKept, what === 'user', 'a hold of an agent keeps nothing of another one');
    const metrics = (await service.request('GET', '/metrics')).body as string;
    const skipped = what === 'user' ? 2 : 1;
    assert.match(metrics, new RegExp(`retention_held_total\\{what="transcripts"\\} ${skipped}\n`));
    assert.match(metrics, /retention_held_total\{what="metadata of agents and users"\} 1\n/);
    await set(false);
    clock.advance(2 * 3_600_000);
    await tidy(service);
    const left = await stored(service);
    assert.deepEqual(
      left.filter((one) => !one.startsWith('sessions')),
      [],
    );
    // No retention deletes the data of the other agent, which keeps its metadata.
    assert.equal(left.length, 1);
    await assert.rejects(readdir(call.audio));
  });

test('an erasure, and the deletion of a recording or an agent, are refused', async () => {
  const service = await start();
  const call = await talk(service);
  const agent = `/api/agents/${call.agent_id}`;
  for (const [kept, free] of [
    [() => hold(service, true), () => hold(service, false)],
    [
      () => service.request('PUT', `${agent}/legal-hold`, { body: { legal_hold: true } }),
      () => service.request('PUT', `${agent}/legal-hold`, { body: { legal_hold: false } }),
    ],
  ] as const) {
    assert.equal((await kept()).status, 200);
    assertRefused(await erase(service), 409, 'legal_hold');
    assertRefused(await service.request('DELETE', call.recording, { user: USER }), 409, 'legal_hold');
    assertRefused(await service.request('DELETE', agent, { user: USER }), 409, 'legal_hold');
    await assertKept(service, call);
    assert.equal((await service.request('GET', agent, { user: USER })).body.is_active, true, 'nothing has begun');
    assert.equal((await free()).status, 200);
  }
  assert.equal((await service.request('DELETE', call.recording, { user: USER })).status, 204);
  assert.equal((await service.request('DELETE', agent, { user: USER })).status, 204);
  assert.equal((await erase(service)).status, 200);
  assert.deepEqual(await stored(service), []);
});

test('an erasure that is in progress waits for the hold to be lifted', async () => {
  const clock = createTestClock();
  const service = await start(clock);
  const call = await talk(service);
  const { db } = service.database;
  const requested_at = clock.now();
  // As a process leaves it that dies after it has recorded the erasure.
  await db.insertInto('erasures').values({ pseudonym: 'erased-1', user_id: USER, requested_at }).execute();
  const due = { id: newId(), kind: 'erasure', key: 'erased-1', due_at: requested_at, created_at: requested_at };
  const payload = JSON.stringify({ actor: { actor: 'open', user_id: null, ip: null } });
  await hold(service, true);
  await db
    .insertInto('work')
    .values({ ...due, payload } as never)
    .execute();
  await eventually(
    async () => {
      await service.app.reconcile();
      return (await service.request('GET', '/api/work?kind=erasure')).body.failing;
    },
    (failing) => failing.length === 1,
  );
  assertRefused(await erase(service), 409, 'legal_hold');
  await assertKept(service, call);
  await hold(service, false);
  await eventually(
    async () => {
      clock.advance(3_600_000);
      await service.app.reconcile();
      return db.selectFrom('erasures').select('finished_at').executeTakeFirstOrThrow();
    },
    ({ finished_at }) => finished_at !== null,
  );
  assert.deepEqual(await stored(service), []);
  await assert.rejects(readdir(call.audio));
});

test('a campaign whose deletion has begun keeps what is left of it', async () => {
  const clock = createTestClock();
  const service = await start(clock);
  const { db } = service.database;
  const agent_id = await createAgent(service);
  const campaign = (await service.request('POST', '/api/campaigns', { user: USER, body: { name: 'A', agent_id } }))
    .body;
  const recipients = { recipients: [{ phone_number: '+15005560001' }] };
  await service.request('POST', `/api/campaigns/${campaign.id}/recipients`, { user: USER, body: recipients });
  const left = async () => {
    await service.app.reconcile();
    return (await db.selectFrom('campaign_recipients').select('id').execute()).length;
  };
  await hold(service, true);
  // As a process leaves it that dies after it has begun.
  await db.updateTable('campaigns').set({ deleted_at: clock.now(), turn_at: clock.now() }).execute();
  for (let round = 0; round < 3; round++) assert.equal(await left(), 1);
  const looked = await db.selectFrom('campaigns').select('turn_at').executeTakeFirstOrThrow();
  assert.ok((looked.turn_at?.getTime() ?? 0) > clock.now().getTime(), 'a turn has seen it');
  await hold(service, false);
  clock.advance(2 * 3_600_000);
  await eventually(left, (count) => count === 0);
});

test('a hold is shown of a user who has no agents, too', async () => {
  const service = await start();
  const user = (method: string, body?: object) =>
    service.request(method, '/api/users/nobody', { ...(body && { body }) });
  assert.deepEqual((await user('GET')).body, { user_id: 'nobody', legal_hold: false, privacy: null });
  await user('PATCH', { legal_hold: true });
  assert.deepEqual((await user('GET')).body, { user_id: 'nobody', legal_hold: true, privacy: null });
});

test('roles service and admin set and lift a hold, users do not; both are audited', async () => {
  const service = await startService({ env: { AUTH_MODE: 'required' } });
  const { create } = keysOf(service.database);
  const [{ key: user }, { key: operator }] = [
    await create({ name: 'u', role: 'user', user_id: USER }),
    await create({ name: 's', role: 'service' }),
  ];
  const as = (key: string, method: string, at: string, body?: object) =>
    service.request(method, at, { headers: { authorization: `Bearer ${key}` }, ...(body && { body }) });
  const { id } = (await as(user, 'POST', '/api/agents/', { name: 'A', user_id: USER })).body;
  for (const [method, at] of [
    ['PATCH', `/api/users/${USER}`],
    ['PUT', `/api/agents/${id}/legal-hold`],
  ] as const) {
    assertRefused(await as(user, method, at, { legal_hold: false }), 403, 'role_not_allowed');
    for (const legal_hold of [true, false]) assert.equal((await as(operator, method, at, { legal_hold })).status, 200);
  }
  await as(operator, 'PATCH', `/api/users/${USER}`, { legal_hold: true });
  assert.deepEqual((await as(operator, 'GET', '/api/users')).body.items, [{ user_id: USER, legal_hold: true }]);
  const entries = async (action: string) =>
    (await as(operator, 'GET', `/api/audit?action=${action}`)).body.items.map(
      ({ before, after }: { before: { legal_hold: boolean }; after: { legal_hold: boolean } }) => [
        before?.legal_hold,
        after?.legal_hold,
      ],
    );
  assert.deepEqual((await entries('legal_hold.changed')).slice(0, 5), [
    [false, true],
    [true, false],
    [false, true],
    [true, false],
    [false, true],
  ]);
});
