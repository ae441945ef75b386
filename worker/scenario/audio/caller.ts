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

/** Somebody who talks and listens like a person, over a line. */
export interface Caller {
  /** Resolves once the agent listens. */
  heardBy: Promise<void>;
  /** Rings for so long, and then picks up. */
  ring(ms: number): Promise<void>;
  /** Resolves with the reason if the connection is lost. */
  lost: Promise<string>;
  /** Returns when the last sound was made. */
  say(samples: Int16Array): Promise<void>;
  press(keys: string): Promise<void>;
  hangUp(): Promise<void>;
  /** Whether the agent is heard, or was a moment ago. */
  hears(): boolean;
  /** Milliseconds from the end of the last words until the next sound of the agent; null without one. */
  answeredMs(): number | null;
  leave(): Promise<void>;
}

/** Joins the room as a participant. */
export async function joinAsCaller(url: string, token: string, line: Line): Promise<Caller> {
  const room = new Room();
  const ear = createEar();
  room.on(RoomEvent.TrackSubscribed, async (track) => {
    if (track.kind !== TrackKind.KIND_AUDIO) return;
    for await (const { data } of new AudioStream(track, RATE, 1)) ear.hear(data, Date.now() - msOf(data));
  });
  const heardBy = new Promise<void>((resolve) => room.once(RoomEvent.LocalTrackSubscribed, () => resolve()));
  const lost = new Promise<string>((resolve) => room.once(RoomEvent.Disconnected, () => resolve(LOST)));
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  const source = new AudioSource(RATE, 1, QUEUE_MS);
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
  await room.localParticipant?.publishTrack(LocalAudioTrack.createAudioTrack('caller', source), options);

  const microphone = createMicrophone(
    // Silence, because the SIP bridge makes up nothing for what a phone has lost; an agent hears no worse than this.
    (packet) => source.captureFrame(new AudioFrame(packet ?? new Int16Array(FRAME), RATE, 1, FRAME)),
    line,
  );

  return {
    heardBy,
    lost,
    ring: async (ms) => {
      await sleep(ms);
      await room.localParticipant?.setAttributes({ [STATUS]: 'active' });
    },
    say: async (samples) => {
      await microphone.say(samples);
      const leftMs = source.queuedDuration + (FRAME / RATE) * 1000;
      ear.expect(Date.now() + leftMs);
      await sleep(leftMs);
    },
    press: (keys) => press(room, keys),
    // Leaving is enough.
    hangUp: async () => {},
    hears: ear.hears,
    answeredMs: ear.answeredMs,
    leave: async () => {
      await microphone.close();
      await room.disconnect();
    },
  };
}

/** A microphone is never quiet: it sends silence, or noise, between sentences. Null is a packet that is lost. */
export function createMicrophone(send: (packet: Int16Array | null) => Promise<unknown>, line: Line) {
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
      await send(line(samples, spoken !== undefined));
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

const msOf = (samples: Int16Array) => (samples.length / RATE) * 1000;

/** Knows when the agent is heard, in milliseconds since 1970. */
export function createEar() {
  let lastSound = Number.NEGATIVE_INFINITY;
  let expectedFrom = Number.POSITIVE_INFINITY;
  let answeredAt: number | null = null;
  return {
    /** Hears samples that began to sound then. */
    hear(samples: Int16Array, begun: number): void {
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
