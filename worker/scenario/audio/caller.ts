import { setTimeout as sleep } from 'node:timers/promises';
import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import { NotHeld } from '@switchboard/scenarios/agent';
import { press } from '../../conversation/tools.ts';
import { LOST } from './limit.ts';
import { audibleLength, blocksOf, isAudible, type Line, RATE } from './sound.ts';

const FRAME = RATE / 50;
/** Short, because what is said now is heard after it; enough for an event loop that is late. */
const QUEUE_MS = 100;
/** A sound after so much silence is a new one. */
const PAUSE_MS = 200;
/** The attribute by which agents know that a phone was picked up. */
const STATUS = 'sip.callStatus';

export const RINGING = { [STATUS]: 'ringing' };

export type Caller = Awaited<ReturnType<typeof joinAsCaller>>;

/** A participant who talks and listens like a person, over a line. */
export async function joinAsCaller(url: string, token: string, line: Line) {
  const room = new Room();
  const ear = createEar();
  room.on(RoomEvent.TrackSubscribed, async (track) => {
    if (track.kind !== TrackKind.KIND_AUDIO) return;
    for await (const { data } of new AudioStream(track, RATE, 1)) ear.hear(data);
  });
  const heardBy = new Promise<void>((resolve) => room.once(RoomEvent.LocalTrackSubscribed, () => resolve()));
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  const source = new AudioSource(RATE, 1, QUEUE_MS);
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
  await room.localParticipant?.publishTrack(LocalAudioTrack.createAudioTrack('caller', source), options);

  const microphone = createMicrophone(source, line);

  return {
    room,
    /** Resolves once the agent listens. */
    heardBy,
    /** Rings for so long, and then picks up. */
    ring: async (ms: number): Promise<void> => {
      await sleep(ms);
      await room.localParticipant?.setAttributes({ [STATUS]: 'active' });
    },
    /** Returns when the last sound was made. */
    say: async (samples: Int16Array): Promise<void> => {
      await microphone.say(samples);
      const leftMs = source.queuedDuration + (FRAME / RATE) * 1000;
      ear.expect(Date.now() + leftMs);
      await sleep(leftMs);
    },
    press: (keys: string) => press(room, keys),
    /** Whether the agent is heard, or was a moment ago. */
    hears: ear.hears,
    /** Milliseconds from the end of the last words until the next sound of the agent; null without one. */
    answeredMs: ear.answeredMs,
    leave: async (): Promise<void> => {
      await microphone.close();
      await room.disconnect();
    },
  };
}

/** A microphone is never quiet: it sends silence, or noise, between sentences. */
export function createMicrophone(source: Pick<AudioSource, 'captureFrame'>, line: Line) {
  let queue: Int16Array[] = [];
  let said: (() => void) | null = null;
  let isOpen = true;
  async function talk(): Promise<void> {
    while (isOpen) {
      const samples = new Int16Array(FRAME);
      const spoken = queue.shift();
      samples.set(spoken ?? []);
      if (queue.length === 0) {
        said?.();
        said = null;
      }
      await source.captureFrame(new AudioFrame(line(samples, spoken !== undefined), RATE, 1, FRAME));
    }
  }
  const talking = talk().catch((cause: unknown) => {
    throw new NotHeld(LOST, { cause });
  });
  // The room may end at any moment, also while nothing is said.
  talking.catch(() => {});
  return {
    /** Returns when the last sound was sent. Rejects with `NotHeld` if the microphone no longer works. */
    say: async (samples: Int16Array): Promise<void> => {
      const length = audibleLength(samples);
      const count = Math.ceil(length / FRAME);
      const { promise, resolve } = Promise.withResolvers<void>();
      said = resolve;
      queue = Array.from({ length: count }, (_, at) => samples.slice(at * FRAME, Math.min((at + 1) * FRAME, length)));
      await Promise.race([promise, talking]);
    },
    close: (): Promise<void> => {
      isOpen = false;
      return talking.catch(() => {});
    },
  };
}

/** Knows when the agent is heard, in milliseconds since 1970. */
function createEar() {
  let lastSound = Number.NEGATIVE_INFINITY;
  let expectedFrom = Number.POSITIVE_INFINITY;
  let answeredAt: number | null = null;
  return {
    hear(samples: Int16Array): void {
      const begun = Date.now() - (samples.length / RATE) * 1000;
      for (const [at, block] of blocksOf(samples).entries()) {
        if (!isAudible(block)) continue;
        const now = begun + at * 10;
        if (now >= expectedFrom && now - lastSound >= PAUSE_MS) answeredAt ??= now;
        lastSound = now;
      }
    },
    expect(from: number): void {
      expectedFrom = from;
      answeredAt = null;
    },
    hears: (): boolean => Date.now() - lastSound < PAUSE_MS,
    answeredMs: (): number | null => (answeredAt === null ? null : Math.max(0, Math.round(answeredAt - expectedFrom))),
  };
}
