import { type AgentDispatch, ParticipantInfo_Kind, TrackType } from '@livekit/protocol';
import {
  type AgentDispatchClient,
  type ParticipantInfo,
  RoomAgentDispatch,
  type RoomServiceClient,
  type TrackInfo,
} from 'livekit-server-sdk';
import { textProblem } from '../../lib/json.ts';
import type { Participant, RoomRequest } from '../rooms.ts';
import { ask, isUnanswered, isUnrecorded } from './errors.ts';
import { createHearing } from './hearing.ts';
import { readAgentName, readPhone } from './sip-attributes.ts';

interface Deps {
  rooms: RoomServiceClient;
  /** For requests that may be made more than once. */
  dispatches: Pick<AgentDispatchClient, 'listDispatch' | 'deleteDispatch'>;
  /** Dispatches an agent, in one request. */
  dispatch: AgentDispatchClient['createDispatch'];
  /** The name that the agent's worker registers under. */
  agentName: string;
}

/**
 * Seconds for which an empty room stays open: before the first person joins, and after the last has left. Agents do
 * not count.
 */
const EMPTY_TIMEOUT_S = 120;
const DEPARTURE_TIMEOUT_S = 10;

/** Rooms of LiveKit's server, their participants, and the agents' workers that are dispatched into them. */
export function createLiveKitRooms({ rooms, dispatches, dispatch, agentName }: Deps) {
  async function createRoom(wanted: RoomRequest): Promise<void> {
    const agents = [new RoomAgentDispatch({ agentName, metadata: wanted.agent_metadata })];
    const make = () => ask('createRoom', rooms.createRoom({ ...roomOptions(wanted), agents }));
    // A server that is busy for a moment fails after 3 s. Retrying does not create a second room.
    await make().catch((error: unknown) => (isUnanswered(error) ? make() : Promise.reject(error)));
  }

  async function ensureAgent(wanted: RoomRequest): Promise<void> {
    const { room_name, agent_metadata: metadata } = wanted;
    // No effect on an existing room.
    await ask('createRoom', rooms.createRoom(roomOptions(wanted)));
    const called = await ask('listDispatch', dispatches.listDispatch(room_name));
    if (called.some((dispatch) => dispatch.agentName === agentName)) return;
    await ask('createDispatch', dispatch(room_name, agentName, { metadata }));
  }

  async function dispatchAgent({ room_name, room_metadata, agent_metadata: metadata }: RoomRequest): Promise<void> {
    // Created first, so that the worker finds it.
    if (room_metadata !== undefined)
      await ask('updateRoomMetadata', rooms.updateRoomMetadata(room_name, room_metadata));
    await ask('createDispatch', dispatch(room_name, agentName, { metadata }));
  }

  async function isAgentComing(room_name: string): Promise<boolean> {
    const called = await ask('listDispatch', dispatches.listDispatch(room_name));
    return called.some((dispatch) => dispatch.agentName === agentName && (dispatch.state?.jobs.length ?? 0) > 0);
  }

  async function withdrawAgents(room_name: string): Promise<void> {
    const called = await ask('listDispatch', dispatches.listDispatch(room_name), () => []);
    const present = new Set((await listParticipants(room_name)).map(({ identity }) => identity));
    const hasJoined = ({ state }: AgentDispatch) =>
      state?.jobs.some((job) => present.has(job.state?.participantIdentity ?? '')) ?? false;
    const ours = called.filter((dispatch) => dispatch.agentName === agentName);
    if (!ours.some(hasJoined)) return;
    for (const dispatch of ours)
      if (!hasJoined(dispatch))
        await ask('deleteDispatch', dispatches.deleteDispatch(dispatch.id, room_name), () => {});
  }

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
    return isAnswered(ask('listDispatch', dispatches.listDispatch(room_name)).then(() => true));
  }

  /** An empty update, which the server answers that has the connection. */
  async function isConnected(room_name: string, identity: string): Promise<boolean> {
    const update = rooms.updateParticipant(room_name, identity, {}).then(() => true);
    return isAnswered(ask('updateParticipant', update, () => false));
  }

  async function listParticipants(room_name: string): Promise<Participant[]> {
    const participants = await ask('listParticipants', rooms.listParticipants(room_name), () => []);
    return participants.filter(({ permission }) => !permission?.hidden).map(toParticipant);
  }

  /**
   * LiveKit does not count agents here. A room of somebody who calls over the network alone is named after what they
   * say to be, which may be no text that the database takes.
   */
  async function listRooms(): Promise<Map<string, { people: number }>> {
    const listed = (await ask('listRooms', rooms.listRooms())).filter(({ name }) => !textProblem(name));
    return new Map(listed.map(({ name, numParticipants }) => [name, { people: numParticipants }]));
  }

  return {
    createRoom,
    ensureAgent,
    dispatchAgent,
    isAgentComing,
    withdrawAgents,
    removeParticipant,
    setHearing: createHearing(rooms),
    closeRoom,
    isHosted,
    isConnected,
    listParticipants,
    listRooms,
  };
}

/** The answer, or false where no server gives one. */
async function isAnswered(answer: Promise<boolean>): Promise<boolean> {
  try {
    return await answer;
  } catch (error) {
    if (isUnanswered(error)) return false;
    throw error;
  }
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

function toParticipant({ sid, identity, kind, attributes, joinedAtMs, tracks }: ParticipantInfo): Participant {
  return {
    sid,
    identity,
    kind: KINDS[kind] ?? 'STANDARD',
    joined_at: new Date(Number(joinedAtMs)),
    phone: kind === ParticipantInfo_Kind.SIP ? readPhone(attributes) : null,
    agent_name: kind === ParticipantInfo_Kind.AGENT ? readAgentName(attributes) : null,
    audio_at: audioSince(tracks),
  };
}

/** A track's version is the time of its publication (livekit-server, pkg/rtc/participant.go). */
function audioSince(tracks: TrackInfo[]): Date | null {
  const times = tracks.flatMap(({ type, version }) =>
    type === TrackType.AUDIO && version ? [Number(version.unixMicro / 1000n)] : [],
  );
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}
