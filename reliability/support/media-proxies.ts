import { after } from 'node:test';
import { placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Lab } from '@switchboard/testkit/lab.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createLiveKitMedia } from '../../packages/server/src/providers/livekit/livekit.ts';
import type { Media } from '../../packages/server/src/providers/media.ts';
import type { DialRequest } from '../../packages/server/src/providers/phones.ts';
import { assertSettled } from './settled.ts';
import { joinSilently } from './signal-leg.ts';
import { startTcpProxy } from './tcp-proxy.ts';

export type BehindProxy = Awaited<ReturnType<typeof startBehindProxy>>;

/** Steps in the middle of a request to the media server. */
interface Hooks {
  afterRoom?: () => Promise<void>;
  afterDial?: () => Promise<void>;
  beforeRefer?: () => Promise<void>;
}

let phones = 0;
const newPhone = () => `+1415555${String(1000 + phones++)}`;

/**
 * A service that reaches the lab's media server through a proxy, and gets none of its webhooks. Phones join the
 * server directly; once a hook sets a fault, dialing goes through the proxy, to a SIP bridge that does not exist.
 */
export async function startBehindProxy(lab: Lab) {
  const proxy = await startTcpProxy(Number(new URL(lab.url).port));
  const access = { apiKey: lab.apiKey, apiSecret: lab.apiSecret, sipTrunkId: 'ST_lab', agentName: 'lab-agent' };
  const direct = createLiveKitMedia({ ...access, url: lab.url });
  const proxied = createLiveKitMedia({ ...access, url: `ws://127.0.0.1:${proxy.port}` });
  const legs: WebSocket[] = [];
  after(hangUp);
  const hooks: Hooks = {};
  const media = withHooks(proxied, hooks, async ({ phone_number, room_name, identity }) => {
    const attributes = { 'sip.callStatus': 'active', 'sip.phoneNumber': phone_number };
    legs.push(await joinSilently(lab, room_name, identity, 'sip', attributes));
  });
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

  const settled = () => assertSettled(service.database.db, direct);
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
    assertSettled: settled,
    rooms,
  };
}

/** The adapter with hooks. Until there is one after the room is created, phones are played by `pickUp`. */
function withHooks(real: Media, hooks: Hooks, pickUp: (call: DialRequest) => Promise<void>): Media {
  return {
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
      await pickUp(call);
      return { answered: true };
    },
    refer: async (room_name, identity) => {
      await hooks.beforeRefer?.();
      await real.removeParticipant(room_name, identity);
      return { accepted: true };
    },
  };
}
