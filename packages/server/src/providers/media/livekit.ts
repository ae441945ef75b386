import { ParticipantInfo_Kind } from '@livekit/protocol';
import {
  AccessToken,
  AgentDispatchClient,
  type ParticipantInfo,
  RoomAgentDispatch,
  RoomServiceClient,
  SipClient,
  type VideoGrant,
} from 'livekit-server-sdk';
import { isGone, isUnanswered, isUnrecorded, toProviderError } from './livekit-errors.ts';
import { syncInbound } from './livekit-inbound.ts';
import { createPhones } from './livekit-phones.ts';
import type { Media, Participant, RoomAccess, RoomRequest } from './media.ts';
import { readAgentName, readPhone } from './sip-attributes.ts';
import { parseWebhookEvent } from './webhook-event.ts';
import { createSignatureCheck } from './webhook-signature.ts';

interface Options {
  /** `wss://` or `ws://`. */
  url: string;
  apiKey: string;
  apiSecret: string;
  /** The outbound SIP trunk, `ST_…`. */
  sipTrunkId: string;
  /** The name that the agent's worker registers under. */
  agentName: string;
  /** Seconds for a request that does not wait for a phone. */
  requestTimeoutS?: number;
}

const REQUEST_TIMEOUT_S = 5;
/**
 * Seconds for which an empty room stays open: before the first person joins, and after the last has left. Agents do
 * not count.
 */
const EMPTY_TIMEOUT_S = 120;
const DEPARTURE_TIMEOUT_S = 10;
/** A participant that can hear the room, and is neither seen nor heard in it. */
const LISTENER = { hidden: true, canPublish: false, canPublishData: false, canUpdateOwnMetadata: false };

/**
 * LiveKit: rooms and webhooks of its server, phones of its SIP bridge (livekit-server 1.13, livekit-server-sdk 2.19).
 */
export function createLiveKitMedia(options: Options): Media {
  const { url, apiKey, apiSecret, sipTrunkId, agentName } = options;
  const requestTimeout = options.requestTimeoutS ?? REQUEST_TIMEOUT_S;
  const rooms = new RoomServiceClient(url, apiKey, apiSecret, { requestTimeout });
  const dispatches = new AgentDispatchClient(url, apiKey, apiSecret, { requestTimeout });
  // On cloud hosts the SDK's failover repeats requests, so a phone would ring twice.
  const sip = new SipClient(url, apiKey, apiSecret, { requestTimeout, failover: false });

  /** Translates SDK errors; returns `absent`, if given, for something that no longer exists. */
  async function ask<T>(operation: string, request: Promise<T>, absent?: () => T): Promise<T> {
    try {
      return await request;
    } catch (error) {
      if (absent && isGone(error)) return absent();
      throw toProviderError(operation, error);
    }
  }

  const { dial, refer } = createPhones({ sip, rooms, sipTrunkId });

  async function removeParticipant(room_name: string, identity: string, sid?: string | null): Promise<void> {
    if (sid) {
      // LiveKit removes by identity. It waits seconds for the server that hosts the participant; if that server has
      // died, it removes the same participant's new connection instead. An empty update waits as long, and tells
      // which connection is there.
      const update = rooms.updateParticipant(room_name, identity, {});
      const connected = await ask('removeParticipant', update, () => null);
      if (connected?.sid !== sid) return;
    }
    await ask('removeParticipant', rooms.removeParticipant(room_name, identity), () => {});
  }

  async function deleteRoom(room_name: string): Promise<void> {
    const deleted = rooms.deleteRoom(room_name).catch(async (error: unknown) => {
      if (!isUnrecorded(error)) throw error;
      // Creating the room again restores its record, so that it can be deleted.
      await rooms.createRoom({ name: room_name });
      await rooms.deleteRoom(room_name);
    });
    await ask('deleteRoom', deleted, () => {});
  }

  async function closeRoom(room_name: string): Promise<void> {
    try {
      await deleteRoom(room_name);
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      // A room stays listed after its server has died. Creating it again moves it to a living server, which can
      // delete it.
      await ask('createRoom', rooms.createRoom({ name: room_name }));
      await deleteRoom(room_name);
    }
  }

  /** Lists the dispatches: a request without side effects that the room's own server answers. */
  async function isHosted(room_name: string): Promise<boolean> {
    try {
      await ask('listDispatch', dispatches.listDispatch(room_name));
      return true;
    } catch (error) {
      if (isUnanswered(error)) return false;
      throw error;
    }
  }

  const assertSigned = createSignatureCheck({ apiKey, apiSecret });

  async function readEvent(body: string, authorization: string | undefined) {
    assertSigned(body, authorization);
    return parseWebhookEvent(body);
  }

  async function createToken(identity: string, ttl: number, grant: VideoGrant): Promise<RoomAccess> {
    const token = new AccessToken(apiKey, apiSecret, { identity, ttl });
    token.addGrant({ roomJoin: true, canSubscribe: true, ...grant });
    return { token: await token.toJwt(), url };
  }

  return {
    name: 'livekit',
    simulated: false,
    description: `LiveKit at ${url}`,
    createRoom: async (wanted) => {
      const agents = [new RoomAgentDispatch({ agentName, metadata: wanted.agent_metadata })];
      const make = () => ask('createRoom', rooms.createRoom({ ...roomOptions(wanted), agents }));
      // A server that is busy for a moment fails after 3 s. Retrying does not create a second room.
      await make().catch((error: unknown) => (isUnanswered(error) ? make() : Promise.reject(error)));
    },
    ensureAgent: async (wanted) => {
      const { room_name, agent_metadata: metadata } = wanted;
      // No effect on an existing room.
      await ask('createRoom', rooms.createRoom(roomOptions(wanted)));
      const called = await ask('listDispatch', dispatches.listDispatch(room_name));
      if (called.some((dispatch) => dispatch.agentName === agentName)) return;
      await ask('createDispatch', dispatches.createDispatch(room_name, agentName, { metadata }));
    },
    dispatchAgent: async ({ room_name, room_metadata, agent_metadata: metadata }) => {
      // Created first, so that the worker finds it.
      if (room_metadata !== undefined)
        await ask('updateRoomMetadata', rooms.updateRoomMetadata(room_name, room_metadata));
      await ask('createDispatch', dispatches.createDispatch(room_name, agentName, { metadata }));
    },
    setInboundNumbers: (numbers) => ask('setInboundNumbers', syncInbound(sip, numbers)),
    dial,
    refer,
    closeRoom,
    isHosted,
    removeParticipant,
    listParticipants: async (room_name) =>
      (await ask('listParticipants', rooms.listParticipants(room_name), () => []))
        .filter(({ permission }) => !permission?.hidden)
        .map(toParticipant),
    // LiveKit does not count agents here.
    listRooms: async () =>
      new Map(
        (await ask('listRooms', rooms.listRooms())).map(({ name, numParticipants }) => [
          name,
          { people: numParticipants },
        ]),
      ),
    createToken: (room, identity, ttl) => createToken(identity, ttl, { room, canPublish: true, canPublishData: true }),
    createListenerToken: (room, identity, ttl) => createToken(identity, ttl, { room, ...LISTENER }),
    readEvent,
    parseEvent: parseWebhookEvent,
    subscribe: () => {},
    ping: async () => {
      await ask('listRooms', rooms.listRooms(['ping']));
    },
    close: async () => {},
  };
}

function roomOptions({ room_name: name, room_metadata: metadata = '', empty_timeout_s = 0 }: RoomRequest) {
  const emptyTimeout = Math.max(EMPTY_TIMEOUT_S, empty_timeout_s);
  return { name, metadata, emptyTimeout, departureTimeout: DEPARTURE_TIMEOUT_S };
}

const KINDS: Partial<Record<ParticipantInfo_Kind, Participant['kind']>> = {
  [ParticipantInfo_Kind.INGRESS]: 'INGRESS',
  [ParticipantInfo_Kind.EGRESS]: 'EGRESS',
  [ParticipantInfo_Kind.SIP]: 'SIP',
  [ParticipantInfo_Kind.AGENT]: 'AGENT',
};

function toParticipant({ sid, identity, kind, attributes, joinedAtMs }: ParticipantInfo): Participant {
  return {
    sid,
    identity,
    kind: KINDS[kind] ?? 'STANDARD',
    joined_at: new Date(Number(joinedAtMs)),
    phone: kind === ParticipantInfo_Kind.SIP ? readPhone(attributes) : null,
    agent_name: kind === ParticipantInfo_Kind.AGENT ? readAgentName(attributes) : null,
  };
}
