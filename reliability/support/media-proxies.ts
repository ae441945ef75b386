import assert from 'node:assert/strict';
import { after } from 'node:test';
import { placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Lab } from '@switchboard/testkit/lab.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createLiveKitMedia } from '../../packages/server/src/providers/media/livekit.ts';
import type { Media } from '../../packages/server/src/providers/media/media.ts';
import { joinSilently } from './signal-leg.ts';
import { startTcpProxy } from './tcp-proxy.ts';

export type BehindProxy = Awaited<ReturnType<typeof startBehindProxy>>;

let phones = 0;

/**
 * A service that reaches the lab's media server through a proxy, and gets none of its webhooks. Phones join the
 * server directly; once a hook sets a fault, dialing goes through the proxy, to a SIP bridge that does not exist.
 */
export async function startBehindProxy(lab: Lab) {
  const proxy = await startTcpProxy(Number(new URL(lab.url).port));
  const access = { apiKey: lab.apiKey, apiSecret: lab.apiSecret, sipTrunkId: 'ST_lab', agentName: 'lab-agent' };
  const direct = createLiveKitMedia({ ...access, url: lab.url });
  const real = createLiveKitMedia({ ...access, url: `ws://127.0.0.1:${proxy.port}` });
  const legs: WebSocket[] = [];
  after(hangUp);
  const hooks: {
    afterRoom?: () => Promise<void>;
    afterDial?: () => Promise<void>;
    beforeRefer?: () => Promise<void>;
  } = {};
  const newPhone = () => `+1415555${String(1000 + phones++)}`;
  const media: Media = {
    ...real,
    createRoom: async (room) => {
      await real.createRoom(room);
      await hooks.afterRoom?.();
    },
    dial: async (call) => {
      if (hooks.afterRoom) {
        delete hooks.afterRoom;
        return real.dial(call).finally(hooks.afterDial);
      }
      const attributes = { 'sip.callStatus': 'active', 'sip.phoneNumber': call.phone_number };
      legs.push(await joinSilently(lab, call.room_name, call.identity, 'sip', attributes));
      return { answered: true };
    },
    refer: async (room_name, identity) => {
      await hooks.beforeRefer?.();
      await real.removeParticipant(room_name, identity);
      return { accepted: true };
    },
  };
  const clock = createTestClock();
  const limits = { CALLS_CONCURRENT: '100', CALLS_PER_SECOND: '100', CALLS_BURST: '100' };
  const service = await startService({
    media,
    clock,
    env: { CALLING_COUNTRIES: 'US', RINGING_TIMEOUT_S: '3', ...limits },
  });

  /** An answered call with its phone and an agent in the room. */
  async function answeredCall() {
    const call = await placeCall(service, newPhone(), { callback_url: 'http://127.0.0.1:9/' });
    await reaches(service, call.call_id, 'ANSWERED');
    legs.push(await joinSilently(lab, call.room_name, 'agent', 'agent'));
    return call;
  }

  /** Removes all participants from the rooms. */
  function hangUp(): void {
    for (const leg of legs) leg.close();
  }

  function transfer(call_id: string, type: 'COLD' | 'WARM') {
    return service.request('POST', `/api/sessions/${call_id}/transfer`, { body: { phone_number: newPhone(), type } });
  }

  /** A warm transfer whose target has answered. */
  async function connectTarget(call_id: string): Promise<void> {
    await transfer(call_id, 'WARM');
    await eventually(
      () => service.request('GET', `/api/calls/${call_id}`),
      ({ body }) => body.transfers[0].status === 'connected',
    );
  }

  /**
   * Fails unless every call has been answered or has ended, its timeline and its callbacks agree, and no ended call
   * has a room.
   */
  async function assertSettled(): Promise<void> {
    const { db } = service.database;
    const sessions = await db.selectFrom('sessions').selectAll().execute();
    const rooms = await direct.listRooms();
    for (const { id, status, call_status, room_name, callback_url } of sessions) {
      assert.notEqual(call_status, 'RINGING', room_name);
      const isOver = status === 'COMPLETED' || status === 'FAILED';
      assert.equal(rooms.has(room_name), !isOver, `${call_status}, and its room ${isOver ? 'is left' : 'is gone'}`);
      const timeline = await db
        .selectFrom('session_events')
        .selectAll()
        .where('session_id', '=', id)
        .orderBy('id')
        .execute();
      assert.deepEqual(timeline.at(-1)?.call_status, call_status);
      if (callback_url === null) continue;
      const callbacks = await db
        .selectFrom('callbacks')
        .selectAll()
        .where('session_id', '=', id)
        .orderBy('id')
        .execute();
      assert.deepEqual(
        callbacks.map(({ type }) => type).filter((type) => !/^call\.(transfer|report)/.test(type)),
        timeline.slice(1).map((event) => `call.${event.call_status?.toLowerCase()}`),
      );
    }
    const pending = await db.selectFrom('transfers').select('id').where('status', '=', 'pending').execute();
    assert.deepEqual(pending, []);
  }

  const rooms = () => direct.listRooms();
  return {
    service,
    clock,
    proxy,
    hooks,
    newPhone,
    answeredCall,
    hangUp,
    transfer,
    connectTarget,
    assertSettled,
    rooms,
  };
}
