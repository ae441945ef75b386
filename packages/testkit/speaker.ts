import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  type RemoteTrack,
  Room,
  RoomEvent,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import type { Lab } from './lab.ts';
import './quiet-rooms.ts';
import { createTimeline, type Timeline } from './timeline.ts';

const RATE = 24_000;
const FRAME = RATE / 50;
/** Short, because what is said now is heard after it; enough for an event loop that is late. */
const QUEUE_MS = 100;
/** The queue's duration says when samples are played to within this; later ones follow a pause of the queue. */
const LATE_MS = 2;

/** Both sides of a conversation as they were at the microphone, from the same moment on. */
export interface Recording {
  /** When it begins, in milliseconds since 1970. */
  start: number;
  rate: number;
  said: Int16Array;
  heard: Int16Array;
}

/** A participant that talks and listens like a person, with recorded speech. */
export interface Speaker {
  /** Plays samples of 24 kHz into the room; returns at the end. */
  say(samples: Int16Array): Promise<void>;
  /** Presses a key of the phone. */
  press(digit: number): Promise<void>;
  /** Resolves once it hears a track of somebody: what is said before is lost to it. */
  listens: Promise<void>;
  /** Samples of 24 kHz received from the room since the last call; those of a second track stand between them. */
  heard(): Int16Array;
  /** Everything since it joined, at its true time, and all tracks together. */
  recording(): Recording;
  /** Statistics of its connection. */
  stats(): ReturnType<Room['getRtcStats']>;
  leave(): Promise<void>;
}

/** Joins a room of the media server with this identity. */
export async function joinAsSpeaker(
  lab: Pick<Lab, 'url' | 'apiKey' | 'apiSecret'>,
  room_name: string,
  identity: string,
  attributes: Record<string, string> = {},
): Promise<Speaker> {
  const token = new AccessToken(lab.apiKey, lab.apiSecret, { identity, attributes });
  if ('sip.callStatus' in attributes) token.kind = 'sip';
  token.addGrant({ roomJoin: true, room: room_name, canPublish: true, canSubscribe: true });
  return speakIn(lab.url, await token.toJwt());
}

/** Joins a room with a token for it. */
export async function speakIn(url: string, token: string): Promise<Speaker> {
  const room = new Room();
  const start = Date.now();
  const saidAt = createTimeline(RATE, LATE_MS);
  const ears = openEars(room);
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  const source = new AudioSource(RATE, 1, QUEUE_MS);
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
  await room.localParticipant?.publishTrack(LocalAudioTrack.createAudioTrack('voice', source), options);

  // A microphone is never quiet: it sends silence between sentences, from which their end is detected.
  let queue: Int16Array[] = [];
  let spoken = Promise.withResolvers<void>();
  let open = true;
  const talking = (async () => {
    while (open) {
      const next = queue.shift();
      if (!next) spoken.resolve();
      const samples = new Int16Array(FRAME);
      samples.set(next ?? []);
      saidAt.add(samples, Date.now() + source.queuedDuration);
      await source.captureFrame(new AudioFrame(samples, RATE, 1, FRAME));
    }
  })();
  return {
    listens: ears.listens,
    press: async (digit) => room.localParticipant?.publishDtmf(digit, String(digit)),
    say: (samples) => {
      spoken = Promise.withResolvers();
      const frames = Math.ceil(samples.length / FRAME);
      queue = Array.from({ length: frames }, (_, index) => samples.slice(index * FRAME, (index + 1) * FRAME));
      return spoken.promise;
    },
    heard: ears.heard,
    recording: () => ({ start, rate: RATE, said: saidAt.from(start), heard: ears.from(start) }),
    stats: () => room.getRtcStats(),
    leave: async () => {
      open = false;
      await talking;
      await room.disconnect();
    },
  };
}

/** Hears every track of the other participants. */
function openEars(room: Room) {
  let chunks: Int16Array[] = [];
  const timelines: Timeline[] = [];
  const listens = Promise.withResolvers<void>();
  room.on(RoomEvent.TrackSubscribed, async (track: RemoteTrack) => {
    if (track.kind !== TrackKind.KIND_AUDIO) return;
    const timeline = createTimeline(RATE);
    timelines.push(timeline);
    for await (const { data } of new AudioStream(track, RATE, 1)) {
      const samples = data.slice();
      listens.resolve();
      chunks.push(samples);
      timeline.add(samples, Date.now() - (samples.length / RATE) * 1000);
    }
  });
  return {
    listens: listens.promise,
    heard: () => {
      const all = Int16Array.from(chunks.flatMap((chunk) => [...chunk]));
      chunks = [];
      return all;
    },
    from: (start: number) => together(timelines.map((one) => one.from(start))),
  };
}

/** Several sounds as one. */
function together(sounds: Int16Array[]): Int16Array {
  const all = new Int16Array(Math.max(0, ...sounds.map(({ length }) => length)));
  for (const sound of sounds) {
    for (const [at, sample] of sound.entries()) all[at] = Math.max(-32_768, Math.min(32_767, (all[at] ?? 0) + sample));
  }
  return all;
}
