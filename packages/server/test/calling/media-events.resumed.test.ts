import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { AppError } from '../../src/lib/errors.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

test('of a phone that left before a process died, while it rang, the answer is not waited for', async () => {
  const media = createSandboxMedia({ clock: systemClock, ringMs: 60_000 });
  const paused: number[] = [];
  const still = createTestClock();
  const sleep: typeof still.sleep = (ms, ...options) => {
    paused.push(ms);
    return still.sleep(ms, ...options);
  };
  const clock = { ...still, sleep };
  const service = await startService({ clock, media });
  const agent_id = await createAgent(service);
  const body = { agent_id, phone_number: '+15005550100' };
  const { room_name } = (await service.request('POST', '/api/calls/outbound', { user: USER, body })).body;
  const participant = { identity: 'phone', kind: 'SIP' };
  const left = { id: 'EV_1', event: 'participant_left', room: { sid: 'RM_1', name: room_name }, participant };
  const received_at = new Date(clock.now().getTime() - 20_000);
  const row = { id: left.id, body: JSON.stringify(left), received_at };
  await service.database.db.insertInto('media_events').values(row).execute();
  paused.length = 0;
  await service.app.reconcile();
  // Between two looks.
  assert.ok(!paused.includes(250), `${paused}`);
  const { handled_at } = await service.database.db
    .selectFrom('media_events')
    .select('handled_at')
    .where('id', '=', left.id)
    .executeTakeFirstOrThrow();
  assert.notEqual(handled_at, null);
  await service.close();
});

test('events that wait for a media server which does not answer hold up no other maintenance', async () => {
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const listParticipants = async () => {
    asked.resolve();
    await goOn.promise;
    return [];
  };
  const env = { RECONCILE_INTERVAL_MS: '100' };
  const service = await startService({ env, media: { ...media, listParticipants, isInboundRoom: () => true } });
  const joined = { event: 'participant_joined', room: { sid: 'RM_2', name: 'a call that comes in' } };
  const body = JSON.stringify({ id: 'EV_2', ...joined, participant: { identity: 'sip_1', kind: 'SIP' } });
  const received_at = new Date(Date.now() - 20_000);
  await service.database.db.insertInto('media_events').values({ id: 'EV_2', body, received_at }).execute();
  await asked.promise;
  const rounds = async () => {
    const { body } = await service.request('GET', '/metrics');
    return Number(/upkeep_rounds_total\{task="numbers",outcome="done"\} (\d+)/.exec(body as string)?.[1]);
  };
  const before = await rounds();
  try {
    await eventually(rounds, (now) => now >= before + 3);
  } finally {
    goOn.resolve();
    await service.close();
  }
});

test('an event waits for a media server that does not respond for longer than for one that cannot be handled', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  let failure: Error | null = null;
  const listParticipants: typeof sandbox.listParticipants = async (room_name) => {
    if (failure) throw failure;
    return sandbox.listParticipants(room_name);
  };
  const service = await startService({ media: { ...sandbox, subscribe: () => {}, listParticipants } });
  const { db } = service.database;
  const { call_id, room_name } = await placeCall(service, '+15005550100', { agent_id: await createAgent(service) });
  await reaches(service, call_id, 'ANSWERED');
  const [phone = assert.fail()] = (await sandbox.listParticipants(room_name)).filter(({ kind }) => kind === 'SIP');
  const left = { event: 'participant_left', room: { sid: 'RM_3', name: room_name } };
  const body = JSON.stringify({ id: 'EV_3', ...left, participant: { identity: phone.identity, kind: 'SIP' } });
  const received_at = new Date(Date.now() - 20 * 60_000);
  await db.insertInto('media_events').values({ id: 'EV_3', body, received_at }).execute();
  const stored = () =>
    db.selectFrom('media_events').select(['body', 'handled_at']).where('id', '=', 'EV_3').executeTakeFirstOrThrow();
  failure = new AppError('provider_unavailable');
  await service.app.reconcile();
  assert.deepEqual(await stored(), { body, handled_at: null });
  failure = new Error('a fault of ours');
  await service.app.reconcile();
  assert.equal((await stored()).body, '');
  await service.close();
});
