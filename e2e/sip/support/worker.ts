// A worker of the lab, as a separate process. Its talkers are processes too, each for many calls, unlike a real
// worker's.
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AvailabilityResponse,
  type JobAssignment,
  JobStatus,
  JobType,
  RegisterWorkerRequest,
  ServerMessage,
  UpdateJobStatus,
  UpdateWorkerStatus,
  WorkerMessage,
} from '@livekit/protocol';
import { AccessToken } from 'livekit-server-sdk';
import type { Done, Over, Task } from './talker.ts';

const { LIVEKIT_URL = '', LIVEKIT_API_KEY = '', LIVEKIT_API_SECRET = '', LIVEKIT_AGENT_NAME = '' } = process.env;
const PAUSE_MS = 200;
/**
 * Rooms per process. rtc-node 0.13 keeps every room that the server has closed, and passes it each event of
 * all others: after a few hundred it would use all of the CPU.
 */
const ROOMS = 10;

/** Instructions for this worker in an agent's configuration. */
interface Behavior {
  /** Pause before it joins, in ms; a list has one for each job in the same room. */
  join_after_ms?: number | number[];
  /** When it leaves, in ms after it has joined. */
  leave_after_ms?: number;
}

interface Talker {
  child: ChildProcess;
  left: number;
  open: Set<string>;
}

const startTalker = (): Talker => ({
  child: fork(path.join(import.meta.dirname, 'talker.ts')),
  left: ROOMS,
  open: new Set(),
});
/** The second process is started in advance, for when the first has had its share. */
let [talker, next] = [startTalker(), startTalker()];
/** Jobs in progress: their processes, and their callbacks when the room ends or the process dies. */
const jobs = new Map<string, { child: ChildProcess; end(isRight: boolean): void }>();

/** Jobs that pause, and the number of jobs by room. */
const pauses = new Map<string, AbortController>();
const jobsIn = new Map<string, number>();

/** Resolves after the pause before a job; false if the media server ends the job before. */
async function pause(jobId: string, room: string, afterMs: number | number[]): Promise<boolean> {
  const before = jobsIn.get(room) ?? 0;
  jobsIn.set(room, before + 1);
  const over = new AbortController();
  pauses.set(jobId, over);
  const ms = Array.isArray(afterMs) ? afterMs[before] : afterMs;
  await sleep(ms, undefined, { signal: over.signal }).catch(() => {});
  pauses.delete(jobId);
  return !over.signal.aborted;
}

function talk(task: Task): Promise<boolean> {
  const mine = talker;
  mine.open.add(task.jobId);
  mine.child.send(task);
  if (mine.left === ROOMS) watch(mine);
  mine.left--;
  if (mine.left === 0) [talker, next] = [next, startTalker()];
  return new Promise((end) => jobs.set(task.jobId, { child: mine.child, end }));
}

function watch({ child, open }: Talker): void {
  const end = (jobId: string, isRight: boolean) => {
    open.delete(jobId);
    jobs.get(jobId)?.end(isRight);
    jobs.delete(jobId);
  };
  child.on('message', ({ jobId, isRight }: Done) => {
    end(jobId, isRight);
    if (open.size === 0 && child !== talker.child) child.disconnect();
  });
  child.on('exit', () => {
    for (const jobId of open) end(jobId, false);
    if (child === talker.child) [talker, next] = [next, startTalker()];
  });
}

/** Registers, and accepts every job, until the connection breaks. */
async function serve(): Promise<void> {
  const token = new AccessToken(LIVEKIT_API_KEY, LIVEKIT_API_SECRET, { ttl: 86_400 });
  token.addGrant({ agent: true });
  const socket = new WebSocket(`${LIVEKIT_URL}/agent?protocol=1&access_token=${await token.toJwt()}`);
  socket.binaryType = 'arraybuffer';
  const send = (message: ConstructorParameters<typeof WorkerMessage>[0]) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(new WorkerMessage(message).toBinary());
  };
  async function take({ job, token }: JobAssignment): Promise<void> {
    const jobId = job?.id ?? '';
    const report = (status: JobStatus) =>
      send({ message: { case: 'updateJob', value: new UpdateJobStatus({ jobId, status }) } });
    report(JobStatus.JS_RUNNING);
    const { join_after_ms, ...behavior }: Behavior = JSON.parse(job?.metadata || '{}').config?.lab ?? {};
    const isWanted = join_after_ms === undefined || (await pause(jobId, job?.room?.name ?? '', join_after_ms));
    if (isWanted) report((await talk({ jobId, token, ...behavior })) ? JobStatus.JS_SUCCESS : JobStatus.JS_FAILED);
  }
  socket.addEventListener('open', () => {
    const register = { type: JobType.JT_ROOM, agentName: LIVEKIT_AGENT_NAME, version: '0.0.0', pingInterval: 10 };
    send({ message: { case: 'register', value: new RegisterWorkerRequest(register) } });
    send({ message: { case: 'updateWorker', value: new UpdateWorkerStatus({ load: 0 }) } });
  });
  socket.addEventListener('message', ({ data }) => {
    const { message } = ServerMessage.fromBinary(new Uint8Array(data as ArrayBuffer));
    if (message.case === 'register') console.log('registered');
    if (message.case === 'availability') {
      const jobId = message.value.job?.id ?? '';
      const value = new AvailabilityResponse({ jobId, available: true, participantIdentity: `agent-${jobId}` });
      send({ message: { case: 'availability', value } });
    }
    if (message.case === 'assignment') void take(message.value);
    if (message.case === 'termination') {
      const { jobId } = message.value;
      pauses.get(jobId)?.abort();
      jobs.get(jobId)?.child.send({ jobId } satisfies Over);
    }
  });
  await new Promise((resolve) => socket.addEventListener('close', resolve));
}

for (;;) {
  await serve().catch(() => {});
  await sleep(PAUSE_MS);
}
