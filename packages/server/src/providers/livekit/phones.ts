import { setTimeout as pause } from 'node:timers/promises';
import { SIPMediaConfig } from '@livekit/protocol';
import type { RoomServiceClient, SipClient } from 'livekit-server-sdk';
import type { DialOutcome, DialRequest, ReferOutcome } from '../phones.ts';
import type { TrunkGroups } from '../trunks.ts';
import { dialOutcome, isHungUpAtOnce, isUnclaimed, referOutcome } from './errors.ts';
import { trunkRefusal } from './trunk-refusals.ts';

interface Deps {
  sip: SipClient;
  rooms: RoomServiceClient;
  trunks: TrunkGroups;
  /** Seconds without audio after which the bridge hangs up. */
  mediaTimeoutS: number;
}

const REFER_TIMEOUT_S = 30;
const REMOVE_EVERY_MS = 100;
/**
 * Seconds beyond the ringing timeout for the response of a busy bridge. With the SDK's default of 2, the outcome of
 * phones that rang out was lost.
 */
const DIAL_MARGIN_S = 10;
/** Attempts to find a bridge: a busy one misses the second in which it could accept the call. */
const BRIDGE_TRIES = 3;

/** Phones that LiveKit's SIP bridge dials into rooms and transfers. */
export function createPhones({ sip, rooms, trunks, mediaTimeoutS }: Deps) {
  const firstTrunk = trunks[0]?.[0]?.id ?? '';

  async function dial(call: DialRequest, canceled?: AbortSignal): Promise<DialOutcome> {
    const over = new AbortController();
    const keepOut = () => void keepPhoneOut(call, over.signal);
    canceled?.addEventListener('abort', keepOut);
    if (canceled?.aborted) keepOut();
    try {
      return await findBridge(call, canceled);
    } finally {
      over.abort();
      canceled?.removeEventListener('abort', keepOut);
    }
  }

  async function findBridge(call: DialRequest, canceled: AbortSignal | undefined): Promise<DialOutcome> {
    for (let tries = 1; ; tries++) {
      const begun = performance.now();
      try {
        await createParticipant(call);
        return { answered: true };
      } catch (error) {
        if (isHungUpAtOnce(error)) return { answered: true, hung_up: true };
        // A call that no bridge accepted has not rung and can be retried. Any other may have rung.
        if (!isUnclaimed(error) || tries === BRIDGE_TRIES || canceled?.aborted) {
          const outcome = dialOutcome(error, performance.now() - begun >= call.ringing_timeout_s * 1000);
          const by_trunk = trunkRefusal(error);
          return { ...outcome, ...(by_trunk && { by_trunk }) };
        }
      }
    }
  }

  async function createParticipant(call: DialRequest): Promise<void> {
    await sip.createSipParticipant(call.trunk ?? firstTrunk, call.phone_number, call.room_name, {
      participantIdentity: call.identity,
      ...(call.from_number && { fromNumber: call.from_number }),
      ringingTimeout: call.ringing_timeout_s,
      timeout: call.ringing_timeout_s + DIAL_MARGIN_S,
      // The bridge starts its timer before the phone rings.
      maxCallDuration: call.ringing_timeout_s + call.max_duration_s,
      waitUntilAnswered: true,
      ...(call.ring_tone && { playDialtone: true }),
      ...(call.attributes && { participantAttributes: call.attributes }),
      media: mediaConfig(mediaTimeoutS),
      ...(call.headers && { headers: { ...call.headers } }),
    });
  }

  /** Removes the phone until the attempt is over: a bridge that is about to join recreates a deleted room. */
  async function keepPhoneOut({ room_name, identity }: DialRequest, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await rooms.removeParticipant(room_name, identity).catch(() => {});
      await pause(REMOVE_EVERY_MS);
    }
  }

  async function refer(room_name: string, identity: string, phone_number: string): Promise<ReferOutcome> {
    try {
      await sip.transferSipParticipant(room_name, identity, `tel:${phone_number}`, { ringingTimeout: REFER_TIMEOUT_S });
      return { accepted: true };
    } catch (error) {
      return referOutcome(error);
    }
  }

  return { trunks, dial, refer };
}

/** The media settings of a phone. Its audio may pause for as long: on hold, many phones send none. */
export function mediaConfig(timeoutS: number): SIPMediaConfig {
  return new SIPMediaConfig({ mediaTimeout: { seconds: BigInt(timeoutS), nanos: 0 } });
}

/** The time in seconds for which the audio may pause; undefined where the bridge's own setting applies. */
export function mediaTimeoutOf(media: SIPMediaConfig | undefined): number | undefined {
  return media?.mediaTimeout && Number(media.mediaTimeout.seconds);
}
