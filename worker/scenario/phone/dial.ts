/** A caller on the phone: the SIP bridge calls a phone of this process into the room. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SIPOutboundConfig, SIPTransport } from '@livekit/protocol';
import { NotHeld } from '@switchboard/scenarios/agent';
import { SipClient } from 'livekit-server-sdk';
import { type Caller, createEar, createMicrophone } from '../audio/caller.ts';
import { messageOf, type TestRoom } from '../audio/room.ts';
import type { Line } from '../audio/sound.ts';
import { openPhone, type Phone, SECRET_HEADER } from './phone.ts';
import { PACKET_MS } from './rtp.ts';

/** Numbers for fiction: the phone answers whatever number is called. */
const [NUMBER, FROM] = ['+12125550199', '+12125550100'];
/** The bridge's own end of a call, should the worker die: longer than a conversation. */
const LONGEST_S = 700;
/** Seconds beyond the ringing in which the bridge calls and answers. */
const DIAL_S = 15;

interface Dialled {
  room: Pick<TestRoom, 'name' | 'server'>;
  identity: string;
  /** The address at which the bridge reaches this machine. */
  host: string;
  ringMs: number;
  line: Line;
  /** Resolves once the agent listens. */
  heardBy: Promise<void>;
}

/** Returns the caller once the phone was answered. Throws `NotHeld` if the bridge cannot call it. */
export async function callPhone({ ringMs, line, heardBy, ...dialled }: Dialled): Promise<Caller> {
  const ear = createEar();
  // A phone plays a packet when it has come.
  const phone = await openPhone({ host: dialled.host, ringMs, hear: (samples) => ear.hear(samples, Date.now()) });
  try {
    await dial(phone, dialled, Math.ceil(ringMs / 1000) + DIAL_S);
  } catch (error) {
    await phone.close();
    throw error;
  }
  const microphone = createMicrophone(phone.send, line);
  return {
    heardBy,
    lost: phone.hungUp.then(() => 'The SIP bridge has hung up.'),
    // It has rung.
    ring: async () => {},
    say: async (samples) => {
      await microphone.say(samples);
      ear.expect(Date.now() + PACKET_MS);
      await sleep(PACKET_MS);
    },
    press: phone.press,
    hangUp: async () => {
      if (!(await phone.hangUp())) throw new NotHeld('The SIP bridge did not notice that the caller has hung up.');
    },
    hears: ear.hears,
    answeredMs: ear.answeredMs,
    leave: async () => {
      await phone.hangUp();
      await microphone.close();
      await phone.close();
    },
  };
}

/** Has the bridge call the phone, by a trunk for this call alone, and waits until it is answered. */
async function dial(phone: Phone, { room, identity }: Pick<Dialled, 'room' | 'identity'>, ringS: number) {
  const { url, apiKey, apiSecret } = room.server;
  // Failover repeats calls: a phone would ring twice.
  const sip = new SipClient(url.replace(/^ws/, 'http'), apiKey, apiSecret, { failover: false });
  const trunk = new SIPOutboundConfig({ hostname: phone.address, transport: SIPTransport.SIP_TRANSPORT_UDP });
  const options = {
    participantIdentity: identity,
    fromNumber: FROM,
    headers: { [SECRET_HEADER]: phone.secret },
    ringingTimeout: ringS,
    timeout: ringS + DIAL_S,
    maxCallDuration: ringS + LONGEST_S,
    waitUntilAnswered: true,
  };
  try {
    await sip.createSipParticipant('', NUMBER, room.name, options, trunk);
  } catch (error) {
    const reached = phone.isCalled() ? '' : `, which has not reached ${phone.address} (TEST_PHONE_HOST)`;
    throw new NotHeld(`There is no call through the SIP bridge${reached}: ${messageOf(error)}`);
  }
  await phone.answered;
}
