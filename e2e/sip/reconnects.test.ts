// Participants that join again with their identity, as the bridge does after it has lost its connection: the media
// server ends the old connection as DUPLICATE_IDENTITY. Their webhooks arrive in either order.
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { Room } from '@livekit/rtc-node';
import { eventually } from '@switchboard/testkit/eventually.ts';
import '@switchboard/testkit/quiet-rooms.ts';
import { AccessToken } from 'livekit-server-sdk';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { type Relay, startRelay } from './support/relay.ts';
import { setUp } from './support/setup.ts';
import { numberOf, type PlacedCall, untilAgentJoined } from './support/switchboard.ts';

const setup = await setUp({ PORT: '8001' });
const { lab, service } = setup;
const relay: Relay = await startRelay(service.url);
after(relay.close);
/** Several rounds of the reconciler. */
const SETTLED_MS = 3_000;

/** Joins in place of the participant of this identity, with the state of an answered phone. */
async function join({ room_name }: PlacedCall, identity: string, kind: 'sip' | 'agent' = 'sip'): Promise<Room> {
  const attributes = kind === 'sip' ? { 'sip.callStatus': 'active' } : undefined;
  const token = new AccessToken(lab.apiKey, lab.apiSecret, { identity, ...(attributes && { attributes }) });
  token.kind = kind;
  token.addGrant({ roomJoin: true, room: room_name, agent: kind === 'agent' });
  const room = new Room();
  await room.connect(lab.url, await token.toJwt(), { autoSubscribe: false, dynacast: false });
  return room;
}

async function talking(): Promise<PlacedCall> {
  const call = await service.call('answers');
  await service.reaches(call.call_id, 'ANSWERED');
  await untilAgentJoined(lab, call);
  return call;
}

/** A call with a connected warm transfer, and the identity of its target. */
async function transferred(): Promise<PlacedCall & { target: string }> {
  const call = await talking();
  await service.post(`/api/sessions/${call.call_id}/transfer`, { phone_number: numberOf('answers'), type: 'WARM' });
  const { transfers } = await eventually(
    () => service.detail(call.call_id),
    (now) => now.transfers[0]?.status === 'connected',
  );
  return { ...call, target: `transfer-${transfers[0].id}` };
}

async function identityOf({ room_name }: PlacedCall, prefix: string): Promise<string> {
  const all = await lab.rooms.listParticipants(room_name);
  return all.find(({ identity }) => identity.startsWith(prefix))?.identity ?? assert.fail(JSON.stringify(all));
}

/** Someone joins again; the event about the old connection arrives first, or last. */
async function rejoin(call: PlacedCall, identity: string, isLeftLast: boolean, kind?: 'agent'): Promise<Room> {
  const kept = isLeftLast ? relay.keep('participant_left', call.room_name, identity) : null;
  const room = await join(call, identity, kind);
  if (kept) {
    const { participant } = await kept.arrived;
    assert.equal(participant?.disconnectReason, 'DUPLICATE_IDENTITY');
    await systemClock.sleep(1000);
    await kept.release();
  }
  return room;
}

async function goesOn({ call_id }: PlacedCall, transfer?: string): Promise<void> {
  await systemClock.sleep(SETTLED_MS);
  const { call_status, end_reason, transfers } = await service.detail(call_id);
  assert.deepEqual([call_status, end_reason], ['ANSWERED', null]);
  assert.equal(transfers[0]?.status, transfer);
}

async function end({ call_id }: PlacedCall, ...rooms: Room[]): Promise<void> {
  assert.equal((await service.post(`/api/calls/${call_id}/end`)).status, 200);
  assert.equal((await service.reaches(call_id, 'COMPLETED')).end_reason, 'ended_by_user');
  for (const room of rooms) await room.disconnect();
}

suite('a participant that joins again', { concurrency: 3 }, () => {
  for (const [order, isLeftLast] of [
    ['leaves, then joins', false],
    ['joins, then leaves', true],
  ] as const) {
    test(`${order}: the phone of a call`, async () => {
      const call = await talking();
      const room = await rejoin(call, 'phone', isLeftLast);
      await goesOn(call);
      await end(call, room);
    });
    test(`${order}: the agent of a call`, async () => {
      const call = await talking();
      const room = await rejoin(call, await identityOf(call, 'agent-'), isLeftLast, 'agent');
      await goesOn(call);
      await end(call, room);
    });
    test(`${order}: the caller during a warm transfer`, async () => {
      const call = await transferred();
      const room = await rejoin(call, 'phone', isLeftLast);
      await goesOn(call, 'connected');
      assert.equal((await service.post(`/api/sessions/${call.call_id}/transfer/complete`)).status, 200);
      await goesOn(call, 'completed');
      await end(call, room);
    });
    test(`${order}: the target of a warm transfer`, async () => {
      const call = await transferred();
      const room = await rejoin(call, call.target, isLeftLast);
      await goesOn(call, 'connected');
      assert.equal((await service.post(`/api/sessions/${call.call_id}/transfer/complete`)).status, 200);
      await goesOn(call, 'completed');
      await end(call, room);
    });
    test(`${order}: both phones of a completed warm transfer`, async () => {
      const call = await transferred();
      assert.equal((await service.post(`/api/sessions/${call.call_id}/transfer/complete`)).status, 200);
      const rooms = await Promise.all([rejoin(call, 'phone', isLeftLast), rejoin(call, call.target, isLeftLast)]);
      await goesOn(call, 'completed');
      await end(call, ...rooms);
    });
  }

  for (const who of ['target', 'phone'] as const) {
    // The event about its departure is lost, as after a restart of the media server.
    const away = async (call: PlacedCall & { target: string }): Promise<string> => {
      const identity = who === 'target' ? call.target : 'phone';
      const lost = relay.keep('participant_left', call.room_name, identity);
      await lab.rooms.removeParticipant(call.room_name, identity);
      await lost.arrived;
      return identity;
    };
    test(`is the ${who}, away while its warm transfer is completed`, async () => {
      const call = await transferred();
      const identity = await away(call);
      const completed = service.post(`/api/sessions/${call.call_id}/transfer/complete`);
      await systemClock.sleep(1500);
      const room = await join(call, identity);
      assert.equal((await completed).status, 200);
      await goesOn(call, 'completed');
      await end(call, room);
    });
    test(`is the ${who}, away while the agent leaves the warm transfer by itself`, async () => {
      const call = await transferred();
      const agent = await identityOf(call, 'agent-');
      const identity = await away(call);
      await lab.rooms.removeParticipant(call.room_name, agent);
      await systemClock.sleep(1500);
      const room = await join(call, identity);
      await goesOn(call, 'completed');
      await end(call, room);
    });
  }
});
