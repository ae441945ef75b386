import { isObject } from '../../lib/json.ts';
import type { RoomRequest, Rooms } from '../rooms.ts';
import type { Workers } from '../workers.ts';
import { BEHAVIORS, type Behavior, type Job, type Room, type SandboxRooms } from './rooms.ts';
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
    command: async (room_name, command) => {
      const seats = rooms.find(room_name)?.seats.values() ?? [];
      if (![...seats].some(({ kind }) => kind === 'AGENT')) return 'absent';
      await worker.obey(room_name, command);
      return 'accepted';
    },
    isAgentComing: async () => false,
    withdrawAgents: async () => {},
  };
}

/** The job in the metadata of a dispatch; null if there is none. */
function readJob(agent_metadata: string): Job | null {
  const job = parse(agent_metadata);
  return isObject(job) && isObject(job.config) && isObject(job.variables) && isObject(job.metadata)
    ? (job as unknown as Job)
    : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The behavior that a call requests in its metadata, as passed in its worker's job. */
function behaviorOf(job: Job | null): Behavior | null {
  return BEHAVIORS.find((one) => one === job?.metadata.sandbox) ?? null;
}
