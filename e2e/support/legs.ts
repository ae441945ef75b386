import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  ParticipantKind,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import type { Lab } from '@switchboard/testkit/lab.ts';
import '@switchboard/testkit/quiet-rooms.ts';
import { within } from '@switchboard/testkit/within.ts';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import type { Media } from '../../packages/server/src/providers/media.ts';
import type { DialOutcome, DialRequest } from '../../packages/server/src/providers/phones.ts';

const SAMPLE_RATE = 48_000;
/** Keys in the order of their codes (RFC 4733). */
const KEYS = '0123456789*#ABCD';

/** A participant on the real media server that acts as a phone or an agent. */
export interface Leg {
  publishSilence(): Promise<void>;
  /** Sends a text message, which the agent treats like speech. */
  type(text: string): Promise<void>;
  /** Calls the method by which Switchboard commands the agent. */
  command(payload: string): Promise<string>;
  /** Presses keys of the phone. */
  press(keys: string): Promise<void>;
  /** DTMF keys pressed by others in the room. */
  tones: string[];
  /** A phone says that it has hung up, as the bridge does before it leaves, and stays. */
  reportHangUp(): Promise<void>;
  hangUp(): Promise<void>;
}

/** Joins a room as the SIP bridge would with a phone (`sip`), or as a worker (`agent`). */
export async function join(
  lab: Lab,
  room_name: string,
  identity: string,
  kind: 'sip' | 'agent',
  attributes: Record<string, string> = {},
): Promise<Leg> {
  const token = new AccessToken(lab.apiKey, lab.apiSecret, { identity, attributes });
  token.kind = kind;
  token.addGrant({
    roomJoin: true,
    room: room_name,
    canPublish: true,
    canSubscribe: true,
    ...(kind === 'agent' && { agent: true }),
  });
  const rooms = new RoomServiceClient(lab.url, lab.apiKey, lab.apiSecret);
  const room = new Room();
  const tones: string[] = [];
  room.on(RoomEvent.DtmfReceived, (_code, digit) => tones.push(digit));
  // A phone subscribes: an agent does not speak before someone hears it.
  await room.connect(lab.url, await token.toJwt(), { autoSubscribe: kind === 'sip', dynacast: false });
  async function reportHangUp(): Promise<void> {
    await rooms.updateParticipant(room_name, identity, { attributes: { 'sip.callStatus': 'hangup' } });
  }
  return {
    command: async (payload) => {
      const agent = [...room.remoteParticipants.values()].find(({ kind }) => kind === ParticipantKind.AGENT);
      const to = { destinationIdentity: agent?.identity ?? '', method: 'switchboard.command', payload };
      return room.localParticipant?.performRpc(to) ?? '';
    },
    press: async (keys) => {
      for (const key of keys) await room.localParticipant?.publishDtmf(KEYS.indexOf(key), key);
    },
    tones,
    reportHangUp,
    hangUp: async () => {
      if (kind === 'sip') await reportHangUp();
      await room.disconnect();
    },
    type: async (text) => {
      await room.localParticipant?.sendText(text, { topic: 'lk.chat' });
    },
    publishSilence: async () => {
      const source = new AudioSource(SAMPLE_RATE, 1);
      const options = new TrackPublishOptions();
      options.source = TrackSource.SOURCE_MICROPHONE;
      await room.localParticipant?.publishTrack(LocalAudioTrack.createAudioTrack('voice', source), options);
      await source.captureFrame(AudioFrame.create(SAMPLE_RATE, 1, SAMPLE_RATE / 100));
    },
  };
}

/** A browser on the real media server, with the token of its page. */
export async function joinAsBrowser({ url, token }: { url: string; token: string }) {
  const room = new Room();
  const left = new Promise<void>((resolve) => room.once(RoomEvent.Disconnected, () => resolve()));
  await room.connect(url, token, { autoSubscribe: true, dynacast: false });
  return {
    room,
    leave: () => room.disconnect(),
    /** Resolves when it was removed, or has left; fails if it is still there after a minute. */
    get left() {
      return within(left, 'a browser that has left its room');
    },
  };
}

/**
 * The real media server with a stand-in for its SIP bridge: phones are participants of this process, answered at once.
 * It does not cover the bridge's own behavior, above all SIP.
 */
export function withStandInPhones(lab: Lab, media: Media): { media: Media; phones: Map<string, Leg> } {
  const phones = new Map<string, Leg>();
  async function dial({ room_name, identity, phone_number }: DialRequest): Promise<DialOutcome> {
    phones.set(
      phone_number,
      await join(lab, room_name, identity, 'sip', { 'sip.callStatus': 'active', 'sip.phoneNumber': phone_number }),
    );
    return { answered: true };
  }
  async function refer(room_name: string, identity: string): Promise<{ accepted: true }> {
    await media.removeParticipant(room_name, identity);
    return { accepted: true };
  }
  return { media: { ...media, dial, refer }, phones };
}
