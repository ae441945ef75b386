import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  type RemoteTrack,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import type { Lab } from '@switchboard/testkit/lab.ts';
import '@switchboard/testkit/quiet-rooms.ts';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import type { Media } from '../../packages/server/src/providers/media.ts';
import type { DialRequest } from '../../packages/server/src/providers/phones.ts';

const RATE = 24_000;
const FRAME = RATE / 50;
const LOUD = 8_000;
const RING_MS = 500;

/** A phone that plays one tone once it is answered, and measures which tones it hears. */
export interface TonePhone {
  /** The loudest tone of this frequency since the last `forget`, of 16 bits. */
  heard(hz: number): number;
  /** The loudest sound of any frequency. */
  loudest(): number;
  forget(): void;
  press(key: string): Promise<void>;
  hangUp(): Promise<void>;
}

/** Phones by number, and a media server on which dialing joins them, as the SIP bridge does: silent until answered. */
export function withTonePhones(lab: Lab, media: Media, tones: Record<string, number>) {
  const phones = new Map<string, TonePhone>();
  const rooms = new RoomServiceClient(lab.url, lab.apiKey, lab.apiSecret);
  async function dial({ room_name, identity, phone_number, attributes }: DialRequest) {
    const status = { ...attributes, 'sip.callStatus': 'ringing', 'sip.phoneNumber': phone_number };
    const token = new AccessToken(lab.apiKey, lab.apiSecret, { identity, attributes: status });
    token.kind = 'sip';
    token.addGrant({ roomJoin: true, room: room_name, canPublish: true, canSubscribe: true });
    const room = new Room();
    const ears = listen(room);
    await room.connect(lab.url, await token.toJwt(), { autoSubscribe: true, dynacast: false });
    const answer = await publishTone(room, tones[phone_number] ?? 0);
    phones.set(phone_number, {
      ...ears,
      press: async (key) => room.localParticipant?.publishDtmf(Number(key), key),
      hangUp: () => room.disconnect(),
    });
    await new Promise((resolve) => setTimeout(resolve, RING_MS));
    answer();
    await rooms.updateParticipant(room_name, identity, { attributes: { 'sip.callStatus': 'active' } });
    return { answered: true as const };
  }
  return { media: { ...media, dial }, phones };
}

/** A track that is silent until the returned function is called. */
async function publishTone(room: Room, hz: number): Promise<() => void> {
  const source = new AudioSource(RATE, 1);
  const options = new TrackPublishOptions();
  options.source = TrackSource.SOURCE_MICROPHONE;
  await room.localParticipant?.publishTrack(LocalAudioTrack.createAudioTrack('voice', source), options);
  let level = 0;
  let isOver = false;
  room.once(RoomEvent.Disconnected, () => {
    isOver = true;
  });
  async function play(): Promise<void> {
    for (let at = 0; !isOver; at += FRAME) {
      const data = Int16Array.from({ length: FRAME }, (_, i) => level * Math.sin((2 * Math.PI * hz * (at + i)) / RATE));
      await source.captureFrame(new AudioFrame(data, RATE, 1, FRAME));
    }
  }
  play().catch(() => {});
  return () => {
    level = LOUD;
  };
}

/** Measures tones in blocks of a tenth of a second, on each track by itself. */
function listen(room: Room) {
  let blocks: Int16Array[] = [];
  async function follow(track: RemoteTrack): Promise<void> {
    for await (const { data } of new AudioStream(track, { sampleRate: RATE, numChannels: 1, frameSizeMs: 100 }))
      blocks.push(new Int16Array(data));
  }
  room.on(RoomEvent.TrackSubscribed, (track) => void follow(track).catch(() => {}));
  return {
    heard: (hz: number) => Math.max(0, ...blocks.map((block) => amplitude(block, hz))),
    loudest: () => Math.max(0, ...blocks.map((block) => block.reduce((most, one) => Math.max(most, Math.abs(one)), 0))),
    forget: () => {
      blocks = [];
    },
  };
}

/** The amplitude of one frequency. */
function amplitude(block: Int16Array, hz: number): number {
  let [re, im] = [0, 0];
  for (const [at, sample] of block.entries()) {
    re += sample * Math.cos((2 * Math.PI * hz * at) / RATE);
    im += sample * Math.sin((2 * Math.PI * hz * at) / RATE);
  }
  return (2 * Math.hypot(re, im)) / block.length;
}
