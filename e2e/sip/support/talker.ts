// A process of the lab's worker that talks: in many rooms one after another, until it is not to take more.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';

const { LIVEKIT_URL = '' } = process.env;
const SAMPLE_RATE = 48_000;

/** The instructions for the lab's worker in the configuration of an agent. */
interface Behaviour {
  /** Pause before it joins, ms. */
  join_after_ms?: number;
  /** When it leaves, ms after it has joined. */
  leave_after_ms?: number;
}

/** A room to talk in. */
export interface Task {
  jobId: string;
  token: string;
  behaviour: Behaviour;
}

/** The end of a task. */
export interface Done {
  jobId: string;
  isRight: boolean;
}

/** Joins, publishes audio, and stays until the room ends or it is to leave. */
async function talk({ token, behaviour: { join_after_ms = 0, leave_after_ms } }: Task): Promise<void> {
  await sleep(join_after_ms);
  const room = new Room();
  const ended = new Promise((resolve) => room.once(RoomEvent.Disconnected, resolve));
  await room.connect(LIVEKIT_URL, token, { autoSubscribe: false, dynacast: false });
  const source = new AudioSource(SAMPLE_RATE, 1);
  const track = LocalAudioTrack.createAudioTrack('voice', source);
  try {
    const options = new TrackPublishOptions();
    options.source = TrackSource.SOURCE_MICROPHONE;
    await room.localParticipant?.publishTrack(track, options);
    await source.captureFrame(AudioFrame.create(SAMPLE_RATE, 1, SAMPLE_RATE / 100));
    if (leave_after_ms !== undefined) {
      await sleep(leave_after_ms);
      await room.disconnect();
    }
    await ended;
  } finally {
    await track.close();
  }
}

process.on('message', (task: Task) => {
  const tell = (isRight: boolean) => process.send?.({ jobId: task.jobId, isRight } satisfies Done);
  talk(task).then(
    () => tell(true),
    () => tell(false),
  );
});
// As abruptly as the worker itself has died, or it has let this process go.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// The SDK's native half throws from its own callbacks when a room ends while it is being left.
process.on('uncaughtException', (error) => console.error(`worker: ${error.message}`));
