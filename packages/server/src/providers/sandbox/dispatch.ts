import type { RoomRequest, Rooms } from '../rooms.ts';
import type { Workers } from '../workers.ts';
import { behaviorOf, readJob } from './job.ts';
import type { Room, SandboxRooms } from './rooms.ts';
import type { SandboxWorker } from './worker.ts';

/** Dispatches the simulated worker into rooms, where it joins at once. */
export function createSandboxDispatch(
  rooms: SandboxRooms,
  worker: SandboxWorker,
): Pick<Rooms, 'createRoom'> & Omit<Workers, 'reportTo'> {
  /** The room, with its behavior and the job of its worker. */
  function openFor({ room_name, agent_metadata }: RoomRequest): Room {
    const room = rooms.open(room_name);
    const job = readJob(agent_metadata);
    room.behavior ??= behaviorOf(job);
    if (room.behavior !== 'agent_is_silent') room.job = job;
    return room;
  }

  return {
    createRoom: async (request) => {
      const room = openFor(request);
      if (room.behavior !== 'agent_never_joins') rooms.joinAgent(room);
    },
    ensureAgent: async (request) => {
      const seats = rooms.find(request.room_name)?.seats.values() ?? [];
      if ([...seats].some(({ kind }) => kind === 'AGENT')) return;
      const room = openFor(request);
      rooms.joinAgent(room);
      worker.attend(room);
    },
    dispatchAgent: async (request) => {
      const room = openFor(request);
      rooms.reportTrack(room, rooms.joinAgent(room));
      // The bridge answers now, because there is audio.
      for (const { phone } of room.seats.values()) if (phone) phone.state = 'active';
      worker.attend(room);
    },
    isAgentComing: async () => false,
    withdrawAgents: async () => {},
  };
}
