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

const RATE = 24_000;
const FRAME = RATE / 50;

/** A participant that talks and listens like a person, with recorded speech. */
export interface Speaker {
  /** Plays samples of 24 kHz into the room; returns at the end. */
  say(samples: Int16Array): Promise<void>;
  /** Samples of 24 kHz received from the room since the last call. */
  heard(): Int16Array;
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
  let chunks: Int16Array[] = [];
  room.on(RoomEvent.TrackSubscribed, async (track: RemoteTrack) => {
    if (track.kind !== TrackKind.KIND_AUDIO) return;
    for await (const frame of new AudioStream(track, RATE, 1)) chunks.push(frame.data.slice());
  });
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  const source = new AudioSource(RATE, 1);
  const options = new TrackPublishOptions();
  options.source = TrackSource.SOURCE_MICROPHONE;
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
      await source.captureFrame(new AudioFrame(samples, RATE, 1, FRAME));
    }
  })();
  return {
    say: (samples) => {
      spoken = Promise.withResolvers();
      const frames = Math.ceil(samples.length / FRAME);
      queue = Array.from({ length: frames }, (_, index) => samples.slice(index * FRAME, (index + 1) * FRAME));
      return spoken.promise;
    },
    heard: () => {
      const all = Int16Array.from(chunks.flatMap((chunk) => [...chunk]));
      chunks = [];
      return all;
    },
    leave: async () => {
      open = false;
      await talking;
      await room.disconnect();
    },
  };
}
