import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Media } from '../../src/providers/media.ts';
import type { DialOutcome, DialRequest } from '../../src/providers/phones.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const service = await startService();

/** Resolves once every event that has come is acted on, and there were so many at least. */
async function actedOn({ database }: Pick<Service, 'database'>, room_name: string, least: number): Promise<void> {
  await eventually(
    () => database.db.selectFrom('media_events').selectAll().where('room_name', '=', room_name).execute(),
    (events) => events.length >= least && events.every(({ handled_at }) => handled_at !== null),
  );
}

async function callStatus(of: Pick<Service, 'request'>, call_id: string): Promise<string> {
  return (await of.request('GET', `/api/calls/${call_id}/status`)).body.call_status;
}

function lost(operation: string): ProviderError {
  return new ProviderError('provider_timeout', { provider: 'sandbox', operation, retryable: true });
}

/** A service whose phones are dialled by `dial`, given the sandbox's own. */
async function startWith(
  dial: (call: DialRequest, own: Media['dial']) => Promise<DialOutcome>,
  { ringMs = 1, joinMs = 0 } = {},
) {
  const media = createSandboxMedia({ clock: systemClock, ringMs, joinMs });
  return startService({
    media: { ...media, dial: (call, canceled) => dial(call, (own) => media.dial(own, canceled)) },
  });
}

test('a phone that is answered before the agent joins waits for it', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const clock = createTestClock();
  // The media server's own count of people is some seconds old.
  const listRooms = async () => new Map([...(await sandbox.listRooms()).keys()].map((room) => [room, { people: 0 }]));
  const waiting = await startService({ media: { ...sandbox, createRoom: async () => {}, listRooms }, clock });
  const { call_id, room_name } = await answeredCall(waiting);
  await waiting.app.reconcile();
  assert.equal(await callStatus(waiting, call_id), 'ANSWERED');
  await sandbox.dispatchAgent({ room_name, agent_metadata: '{}' });
  sandbox.hangUp(room_name, 'agent');
  assert.equal((await reaches(waiting, call_id, 'COMPLETED')).end_reason, 'hangup');
  const alone = await answeredCall(waiting);
  clock.advance(21_000);
  await waiting.app.reconcile();
  assert.equal((await reaches(waiting, alone.call_id, 'FAILED')).end_reason, 'agent_never_joined');
  await waiting.close();
});

test('a browser that leaves a call before the agent joins does not end it', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const waiting = await startService({ media: { ...sandbox, createRoom: async () => {} } });
  const { call_id, room_name } = await answeredCall(waiting);
  const gone = { sid: 'PA_gone', identity: 'web-1', kind: 'STANDARD', disconnectReason: 'CLIENT_INITIATED' };
  const body = { event: 'participant_left', id: 'EV_web_1', room: { name: room_name }, participant: gone };
  await waiting.request('POST', '/api/media/webhook', { body });
  await actedOn(waiting, room_name, 2);
  assert.equal(await callStatus(waiting, call_id), 'ANSWERED');
  await waiting.close();
});

test('lost audio ends the call as media_lost, a hang-up as hangup', async () => {
  const [silent, ended] = [await answeredCall(service), await answeredCall(service)];
  service.media.loseAudio(silent.room_name, 'phone');
  service.media.hangUp(ended.room_name, 'phone');
  assert.equal((await reaches(service, silent.call_id, 'FAILED')).end_reason, 'media_lost');
  assert.equal((await reaches(service, ended.call_id, 'COMPLETED')).end_reason, 'hangup');
});

test("the provider's own limit comes after ours, and a call that reaches it ends as max_duration", async () => {
  const asked: number[] = [];
  const clock = createTestClock();
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const dial: Media['dial'] = (call, canceled) => {
    asked.push(call.max_duration_s);
    return media.dial(call, canceled);
  };
  const limited = await startService({ media: { ...media, dial }, clock, env: { MAX_CALL_DURATION_S: '60' } });
  const { call_id, room_name } = await answeredCall(limited);
  assert.ok(
    asked.every((seconds) => seconds > 60),
    String(asked),
  );
  clock.advance(61_000);
  media.loseAudio(room_name, 'phone'); // As the bridge does at its own limit.
  assert.equal((await reaches(limited, call_id, 'COMPLETED')).end_reason, 'max_duration');
  await limited.close();
});

test('a phone that reconnects has not left, whatever reason its old connection ended with', async () => {
  const { call_id, room_name } = await answeredCall(service);
  service.media.reconnect(room_name, 'phone');
  const old = { sid: 'PA_before', identity: 'phone', kind: 'SIP', disconnectReason: 'CLIENT_INITIATED' };
  const body = { event: 'participant_left', id: 'EV_old_phone', room: { name: room_name }, participant: old };
  await service.request('POST', '/api/media/webhook', { body });
  await actedOn(service, room_name, 5);
  assert.equal(await callStatus(service, call_id), 'ANSWERED');
  service.media.hangUp(room_name, 'phone');
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'hangup');
});

test('a connection that is being replaced does not end the call before the new one exists', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const [phone] = (await service.media.listParticipants(room_name)).filter(({ kind }) => kind === 'SIP');
  const left = { sid: phone?.sid, identity: 'phone', kind: 'SIP', disconnectReason: 'STATE_MISMATCH' };
  const body = { event: 'participant_left', id: 'EV_mismatch', room: { name: room_name }, participant: left };
  await service.request('POST', '/api/media/webhook', { body });
  await actedOn(service, room_name, 3);
  assert.equal(await callStatus(service, call_id), 'ANSWERED');
});

test('an answered phone that leaves in a ringing state may reconnect, and ends the call when it does not', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const [phone] = (await service.media.listParticipants(room_name)).filter(({ kind }) => kind === 'SIP');
  const attributes = { 'sip.callStatus': 'ringing' };
  const left = { sid: phone?.sid, identity: 'phone', kind: 'SIP', attributes, disconnectReason: 'CLIENT_INITIATED' };
  const body = { event: 'participant_left', id: 'EV_stale', room: { name: room_name }, participant: left };
  await service.request('POST', '/api/media/webhook', { body });
  await actedOn(service, room_name, 3);
  assert.equal(await callStatus(service, call_id), 'ANSWERED');
  service.media.hangUp(room_name, 'phone');
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'hangup');
});

test('a phone that has hung up, and whose leaving the media server has missed, has not lost its audio', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const [phone] = (await service.media.listParticipants(room_name)).filter(({ kind }) => kind === 'SIP');
  const attributes = { 'sip.callStatus': 'hangup' };
  const left = { sid: phone?.sid, identity: 'phone', kind: 'SIP', attributes, disconnectReason: 'CONNECTION_TIMEOUT' };
  const body = { event: 'participant_left', id: 'EV_missed', room: { name: room_name }, participant: left };
  await service.request('POST', '/api/media/webhook', { body });
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'hangup');
});

test('of two workers with the same identity in a call the first one is removed', async () => {
  const { call_id, room_name } = await answeredCall(service);
  await actedOn(service, room_name, 2);
  await service.media.dispatchAgent({ room_name, agent_metadata: '{}' });
  await eventually(
    () => service.media.listParticipants(room_name),
    (all) => all.filter(({ kind }) => kind === 'AGENT').length === 1,
  );
  const agents = (await service.media.listParticipants(room_name)).filter(({ kind }) => kind === 'AGENT');
  assert.notEqual(agents[0]?.identity, 'agent');
  assert.equal(await callStatus(service, call_id), 'ANSWERED');
});

test('a call canceled before its phone joins the room never rings, even when every event is lost', async () => {
  const media = createSandboxMedia({ clock: systemClock, ringMs: 60_000, joinMs: 100 });
  const deaf = await startService({ media: { ...media, subscribe: () => {} } });
  const { call_id } = await placeCall(deaf, '+15005550100');
  await deaf.request('POST', `/api/calls/${call_id}/end`);
  await systemClock.sleep(150);
  await eventually(
    () => media.listRooms(),
    (rooms) => rooms.size === 0,
  );
  assert.equal(await callStatus(deaf, call_id), 'COMPLETED');
  await deaf.close();
});

test('a call canceled by another replica stops ringing when its phone joins a room that was deleted', async () => {
  const media = createSandboxMedia({ clock: systemClock, ringMs: 60_000, joinMs: 100 });
  const dials = await startService({ media });
  const other = await startService({ database: dials.database, media: { ...media, subscribe: () => {} } });
  const { call_id } = await placeCall(dials, '+15005550100');
  await other.request('POST', `/api/calls/${call_id}/end`);
  await systemClock.sleep(150);
  await eventually(
    () => media.listRooms(),
    (rooms) => rooms.size === 0,
  );
  await other.close();
  await dials.close();
});

test('a lost response of the provider does not hang up an answered or ringing phone', async () => {
  for (const ringMs of [1, 300]) {
    const losing = await startWith(
      async (call, own) => {
        const dialling = own(call);
        if (ringMs === 1) await dialling;
        throw lost('dial');
      },
      { ringMs },
    );
    const { call_id, room_name } = await placeCall(losing, '+15005550100');
    await reaches(losing, call_id, 'ANSWERED');
    assert.ok((await losing.media.listRooms()).has(room_name));
    await losing.close();
  }
});

const cutOff = (provider_code?: string) =>
  new ProviderError('provider_unavailable', { provider: 'sandbox', operation: 'dial', provider_code, retryable: true });

for (const [what, error] of [
  ['breaks off', cutOff()],
  ['is that of a proxy', cutOff('502')],
] as const)
  test(`a phone that joins after a response that ${what} rings, and its call has not failed`, async () => {
    const losing = await startWith(
      (call, own) => {
        // The request has arrived, and the bridge is about to join.
        void systemClock.sleep(700).then(() => own(call));
        throw error;
      },
      { ringMs: 200 },
    );
    const { call_id, room_name } = await placeCall(losing, '+15005550100');
    await reaches(losing, call_id, 'ANSWERED');
    assert.ok((await losing.media.listRooms()).has(room_name));
    await losing.close();
  });

test('a dial that a proxy has no route for has failed at once', async () => {
  const misrouted = await startWith((call, own) => {
    // It would be taken for the phone of this call, if that were still looked for.
    void systemClock.sleep(700).then(() => own(call));
    throw cutOff('404');
  });
  const { call_id } = await placeCall(misrouted, '+15005550100');
  assert.equal((await reaches(misrouted, call_id, 'FAILED')).end_reason, 'provider_unavailable');
  await misrouted.close();
});

test('a response that is lost together with its phone is not a no-answer', async () => {
  const losing = await startWith(async () => {
    throw lost('dial');
  });
  const { call_id } = await placeCall(losing, '+15005550100');
  assert.equal((await reaches(losing, call_id, 'FAILED')).end_reason, 'provider_timeout');
  await losing.close();
});

test('a phone seen in the call counts as answered while the dial request is pending, whatever that returns later', async () => {
  let say: (outcome: DialOutcome) => void = () => {};
  const silent = await startWith(async (call, own) => {
    await own(call);
    return new Promise((resolve) => {
      say = resolve;
    });
  });
  const { call_id, room_name } = await placeCall(silent, '+15005550100');
  await eventually(
    () => silent.media.listParticipants(room_name),
    (all) => all.some(({ phone }) => phone?.state === 'active'),
  );
  await silent.app.reconcile();
  assert.equal(await callStatus(silent, call_id), 'ANSWERED');
  say({ answered: false, no_answer: true, end_reason: 'no_answer', sip_status_code: null });
  await systemClock.sleep(50);
  assert.equal(await callStatus(silent, call_id), 'ANSWERED');
  assert.ok((await silent.media.listRooms()).has(room_name));
  await silent.close();
});

test('a call that the far end cancels has failed', async () => {
  const givingUp = await startWith(async () => ({
    answered: false,
    no_answer: false,
    end_reason: 'canceled',
    sip_status_code: 487,
  }));
  const { call_id } = await placeCall(givingUp, '+15005550100');
  const call = await reaches(givingUp, call_id, 'FAILED');
  assert.deepEqual([call.end_reason, call.sip_status_code], ['trunk_failure', 487]);
  await givingUp.close();
});

test('a short inbound call is recorded although every event is lost', async () => {
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const clock = createTestClock();
  const deaf = await startService({ clock, media: { ...media, subscribe: () => {} } });
  const agent_id = await createAgent(deaf);
  await deaf.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: '+15005550010' } });
  const room = media.callIn('+15005550010', '+15005550199') ?? assert.fail();
  await deaf.app.reconcile();
  const { body } = await eventually(
    () => deaf.request('GET', `/api/sessions/by-room/${room}`),
    (answer) => answer.body.call_status === 'ANSWERED',
  );
  media.hangUp(room, 'sip_+15005550199');
  await deaf.app.reconcile();
  clock.advance(6_000);
  await deaf.app.reconcile();
  assert.equal((await reaches(deaf, body.id, 'COMPLETED')).end_reason, 'hangup');
  await deaf.close();
});
