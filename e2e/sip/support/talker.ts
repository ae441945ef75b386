// A process of the lab's worker that publishes audio in many rooms, until it has had its share of them.
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
import '@switchboard/testkit/quiet-rooms.ts';

const { LIVEKIT_URL = '' } = process.env;
const SAMPLE_RATE = 48_000;

/** A room to talk in. */
export interface Task {
  jobId: string;
  token: string;
  /** When it leaves, in ms after it has joined; otherwise it stays until the room ends. */
  leave_after_ms?: number;
}

/**
 * Reports that the media server considers a job ended: rtc-node may never report a room that ends during the join.
 */
export interface Over {
  jobId: string;
}

/** The end of a task. */
export interface Done {
  jobId: string;
  isRight: boolean;
}

const stops = new Map<string, () => void>();

/** Joins, publishes audio, and stays until the room ends or it is told to leave. */
async function talk({ jobId, token, leave_after_ms }: Task): Promise<void> {
  const over = new Promise<void>((resolve) => stops.set(jobId, resolve));
  const room = new Room();
  const source = new AudioSource(SAMPLE_RATE, 1);
  const track = LocalAudioTrack.createAudioTrack('voice', source);
  const ended = new Promise((resolve) => room.once(RoomEvent.Disconnected, resolve));
  async function stay(): Promise<void> {
    await room.connect(LIVEKIT_URL, token, { autoSubscribe: false, dynacast: false });
    const options = new TrackPublishOptions();
    options.source = TrackSource.SOURCE_MICROPHONE;
    await room.localParticipant?.publishTrack(track, options);
    await source.captureFrame(AudioFrame.create(SAMPLE_RATE, 1, SAMPLE_RATE / 100));
    if (leave_after_ms !== undefined) await sleep(leave_after_ms);
    else await ended;
  }
  try {
    await Promise.race([stay(), ended, over]);
  } finally {
    await room.disconnect();
    await track.close();
    stops.delete(jobId);
  }
}

process.on('message', (message: Task | Over) => {
  const { jobId } = message;
  if (!('token' in message)) {
    stops.get(jobId)?.();
    return;
  }
  const report = (isRight: boolean) => process.send?.({ jobId, isRight } satisfies Done);
  talk(message).then(
    () => report(true),
    () => report(false),
  );
});
// As abrupt as the death of the worker itself, or the worker has released this process.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// The SDK's native half throws from its own callbacks when a room ends while it is being left.
process.on('uncaughtException', (error) => console.error(`worker: ${error.message}`));
