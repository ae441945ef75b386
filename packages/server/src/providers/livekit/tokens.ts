import { AccessToken, TrackSource, type VideoGrant } from 'livekit-server-sdk';
import type { RoomAccess } from '../rooms.ts';

interface Options {
  /** `wss://` or `ws://`. */
  url: string;
  apiKey: string;
  apiSecret: string;
}

/** A participant that can hear the room, and is neither seen nor heard in it. */
const LISTENER = { hidden: true, canPublish: false, canPublishData: false, canUpdateOwnMetadata: false };
/** A participant with a microphone. The data that it could send would be keys of a telephone. */
const SPEAKER = {
  canPublish: true,
  canPublishSources: [TrackSource.MICROPHONE],
  canPublishData: false,
  canUpdateOwnMetadata: false,
};

/** Signs the tokens with which browsers join rooms. */
export function createTokens({ url, apiKey, apiSecret }: Options) {
  async function sign(identity: string, ttl: number, grant: VideoGrant): Promise<RoomAccess> {
    const token = new AccessToken(apiKey, apiSecret, { identity, ttl });
    token.addGrant({ roomJoin: true, canSubscribe: true, ...grant });
    return { token: await token.toJwt(), url };
  }

  return {
    createToken: (room: string, identity: string, ttl_s: number) =>
      sign(identity, ttl_s, { room, canPublish: true, canPublishData: true }),
    createListenerToken: (room: string, identity: string, ttl_s: number) =>
      sign(identity, ttl_s, { room, ...LISTENER }),
    createSpeakerToken: (room: string, identity: string, ttl_s: number) => sign(identity, ttl_s, { room, ...SPEAKER }),
  };
}
