import { AgentDispatchClient, RoomServiceClient, SipClient } from 'livekit-server-sdk';
import type { Media } from '../media.ts';
import { readTrunks } from '../trunks.ts';
import { createCommands } from './commands.ts';
import { diagnose } from './diagnose.ts';
import { ask } from './errors.ts';
import { INBOUND_ROOM_PREFIX, syncInbound } from './inbound.ts';
import { createPhones } from './phones.ts';
import { createLiveKitRooms } from './rooms.ts';
import { createTokens } from './tokens.ts';
import { parseWebhookEvent } from './webhook-event.ts';
import { createSignatureCheck } from './webhook-signature.ts';

interface Options {
  /** `wss://` or `ws://`. */
  url: string;
  apiKey: string;
  apiSecret: string;
  /** The outbound SIP trunks, as in the setting. */
  sipTrunkId: string;
  /** The name that the agent's worker registers under. */
  agentName: string;
  /** Seconds without audio from a phone after which it is hung up. */
  mediaTimeoutS?: number;
  /** Seconds after which the bridge ends an inbound call that nobody else has ended. */
  maxCallS?: number;
  /** Names of headers of inbound calls that the bridge passes on. */
  sipHeadersIn?: readonly string[];
  /** Seconds for a request that does not wait for a phone; on cloud hosts, for each of up to three regions. */
  requestTimeoutS?: number;
}

const REQUEST_TIMEOUT_S = 5;
const MEDIA_TIMEOUT_S = 300;
/** The bridge's own. */
const MAX_CALL_S = 86_400;

/**
 * LiveKit: rooms and webhooks of its server, phones of its SIP bridge (livekit-server 1.13, livekit-server-sdk 2.19).
 */
export function createLiveKitMedia(options: Options): Media {
  const { url, apiKey, apiSecret, sipTrunkId, agentName, mediaTimeoutS = MEDIA_TIMEOUT_S } = options;
  const { maxCallS = MAX_CALL_S, sipHeadersIn: headers = [] } = options;
  const requestTimeout = options.requestTimeoutS ?? REQUEST_TIMEOUT_S;
  const rooms = new RoomServiceClient(url, apiKey, apiSecret, { requestTimeout });
  const dispatches = new AgentDispatchClient(url, apiKey, apiSecret, { requestTimeout });
  // On cloud hosts the SDK's failover repeats requests whose answer is lost: two agents would join, a phone would ring
  // twice. A client has it for all of its requests or for none.
  const once = new AgentDispatchClient(url, apiKey, apiSecret, { requestTimeout, failover: false });
  const sip = new SipClient(url, apiKey, apiSecret, { requestTimeout, failover: false });
  const assertSigned = createSignatureCheck({ apiKey, apiSecret });
  const roomsOfLiveKit = createLiveKitRooms({ rooms, dispatches, dispatch: once.createDispatch.bind(once), agentName });
  const { listParticipants } = roomsOfLiveKit;

  return {
    name: 'livekit',
    simulated: false,
    description: `LiveKit at ${url}`,
    ...roomsOfLiveKit,
    ...createCommands({ url, rooms, agentName, apiSecret, requestTimeoutS: requestTimeout, listParticipants }),
    ...createPhones({ sip, rooms, trunks: readTrunks(sipTrunkId), mediaTimeoutS }),
    ...createTokens({ url, apiKey, apiSecret }),
    setInboundNumbers: (numbers) =>
      ask('setInboundNumbers', syncInbound(sip, numbers, { mediaTimeoutS, maxCallS, headers })),
    isInboundRoom: (room_name) => room_name.startsWith(INBOUND_ROOM_PREFIX),
    readEvent: async (body, authorization) => {
      assertSigned(body, authorization);
      return parseWebhookEvent(body);
    },
    parseEvent: parseWebhookEvent,
    subscribe: () => {},
    ping: async () => {
      await ask('listRooms', rooms.listRooms(['ping']));
    },
    diagnose: (facts) => diagnose(options, facts),
    close: async () => {},
  };
}
