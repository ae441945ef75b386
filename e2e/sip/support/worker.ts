// A worker of the lab, as a process of its own: many calls in one process, which a real worker would not do.
import {
  AvailabilityResponse,
  JobStatus,
  JobType,
  RegisterWorkerRequest,
  ServerMessage,
  UpdateJobStatus,
  UpdateWorkerStatus,
  WorkerMessage,
} from '@livekit/protocol';
import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';

const { LIVEKIT_URL = '', LIVEKIT_API_KEY = '', LIVEKIT_API_SECRET = '', LIVEKIT_AGENT_NAME = '' } = process.env;
const SAMPLE_RATE = 48_000;
const PAUSE_MS = 200;

/** The instructions for this worker in the configuration of an agent. */
interface Behaviour {
  /** Pause before it joins, ms. */
  join_after_ms?: number;
  /** When it leaves, ms after it has joined. */
  leave_after_ms?: number;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Registers, and takes every job, until the connection breaks. */
async function serve(): Promise<void> {
  const token = new AccessToken(LIVEKIT_API_KEY, LIVEKIT_API_SECRET, { ttl: 86_400 });
  token.addGrant({ agent: true });
  const socket = new WebSocket(`${LIVEKIT_URL}/agent?protocol=1&access_token=${await token.toJwt()}`);
  socket.binaryType = 'arraybuffer';
  const tell = (message: ConstructorParameters<typeof WorkerMessage>[0]) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(new WorkerMessage(message).toBinary());
  };
  socket.addEventListener('open', () => {
    const register = { type: JobType.JT_ROOM, agentName: LIVEKIT_AGENT_NAME, version: '0.0.0', pingInterval: 10 };
    tell({ message: { case: 'register', value: new RegisterWorkerRequest(register) } });
    tell({ message: { case: 'updateWorker', value: new UpdateWorkerStatus({ load: 0 }) } });
  });
  socket.addEventListener('message', ({ data }) => {
    const { message } = ServerMessage.fromBinary(new Uint8Array(data as ArrayBuffer));
    if (message.case === 'register') console.log('registered');
    if (message.case === 'availability') {
      const jobId = message.value.job?.id ?? '';
      const value = new AvailabilityResponse({ jobId, available: true, participantIdentity: `agent-${jobId}` });
      tell({ message: { case: 'availability', value } });
    }
    if (message.case === 'assignment') {
      const { job, token } = message.value;
      const report = (status: JobStatus) =>
        tell({ message: { case: 'updateJob', value: new UpdateJobStatus({ jobId: job?.id ?? '', status }) } });
      report(JobStatus.JS_RUNNING);
      talk(token, behaviourOf(job?.metadata)).then(
        () => report(JobStatus.JS_SUCCESS),
        () => report(JobStatus.JS_FAILED),
      );
    }
  });
  await new Promise((resolve) => socket.addEventListener('close', resolve));
}

function behaviourOf(metadata: string | undefined): Behaviour {
  return JSON.parse(metadata || '{}').config?.lab ?? {};
}

/** Joins, publishes audio, and stays until the room ends or it is to leave. */
async function talk(token: string, { join_after_ms = 0, leave_after_ms }: Behaviour): Promise<void> {
  await sleep(join_after_ms);
  const room = new Room();
  const ended = new Promise((resolve) => room.once(RoomEvent.Disconnected, resolve));
  await room.connect(LIVEKIT_URL, token, { autoSubscribe: false, dynacast: false });
  const source = new AudioSource(SAMPLE_RATE, 1);
  const options = new TrackPublishOptions();
  options.source = TrackSource.SOURCE_MICROPHONE;
  await room.localParticipant?.publishTrack(LocalAudioTrack.createAudioTrack('voice', source), options);
  await source.captureFrame(AudioFrame.create(SAMPLE_RATE, 1, SAMPLE_RATE / 100));
  if (leave_after_ms !== undefined) {
    await sleep(leave_after_ms);
    await room.disconnect();
  }
  await ended;
}

// The SDK's native half throws from its own callbacks when a room ends while it is being left.
process.on('uncaughtException', (error) => console.error(`worker: ${error.message}`));
for (;;) {
  await serve().catch(() => {});
  await sleep(PAUSE_MS);
}
