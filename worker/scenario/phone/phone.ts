import { randomBytes } from 'node:crypto';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSound } from './rtp.ts';
import {
  headerOf,
  type Message,
  readMessage,
  readOffer,
  uriOf,
  writeAnswer,
  writeMessage,
  writeResponse,
} from './sip.ts';

/** The header by which a phone knows its call: whoever else reaches its port is refused. */
export const SECRET_HEADER = 'X-Switchboard-Test';
/** Milliseconds until a message without an answer is sent again, at first and at most (RFC 3261, T1 and T2). */
const [FIRST_MS, LONGEST_MS] = [500, 4_000];
/** Milliseconds after which no answer comes any more: to the 200 of an INVITE, and to a BYE. */
const [ACK_MS, BYE_MS] = [32_000, 8_000];

interface PhoneOptions {
  /** The IPv4 address at which the bridge reaches this machine. */
  host: string;
  /** How long it rings before it answers. */
  ringMs: number;
  /** Takes what it hears, as samples of 24 kHz. */
  hear: (samples: Int16Array) => void;
}

export type Phone = Awaited<ReturnType<typeof openPhone>>;

/** The call of a phone. */
interface Call {
  invite: Message;
  from: RemoteInfo;
  offer: NonNullable<ReturnType<typeof readOffer>>;
  state: 'ringing' | 'answered' | 'up' | 'over';
}

/** A telephone for one call of the bridge: it rings, answers, speaks, presses keys, and hangs up. */
export async function openPhone({ host, ringMs, hear }: PhoneOptions) {
  const socket = createSocket('udp4').bind(0);
  await once(socket, 'listening');
  // Whatever is wrong with a message, the next one is another.
  socket.on('error', () => {});
  const sound = await openSound(hear);
  const address = `${host}:${socket.address().port}`;
  const [secret, tag] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const contact = ['Contact', `<sip:phone@${address}>`] as const;
  const acknowledged = Promise.withResolvers<void>();
  const hungUp = Promise.withResolvers<void>();
  const byeTaken = Promise.withResolvers<void>();
  const closed = new AbortController();
  let call: Call | null = null;

  const post = (text: string, { port, address: to }: RemoteInfo) => void socket.send(text, port, to);
  const reply = (request: Message, from: RemoteInfo, status: string) =>
    post(writeResponse(request, status, tag, [contact]), from);
  const accept = (request: Message, from: RemoteInfo, { offer }: Call) => {
    const headers = [contact, ['Content-Type', 'application/sdp']] as const;
    post(writeResponse(request, '200 OK', tag, headers, writeAnswer(host, sound.port, offer.keys)), from);
  };

  async function ring(ringing: Call): Promise<void> {
    const { invite, from } = ringing;
    reply(invite, from, '180 Ringing');
    await sleep(ringMs, undefined, { signal: closed.signal });
    if (ringing.state !== 'ringing') return;
    ringing.state = 'answered';
    await repeat(() => accept(invite, from, ringing), acknowledged.promise, ACK_MS, closed.signal);
  }

  function invited(request: Message, from: RemoteInfo): void {
    const offer = readOffer(request.body);
    if (call && isSameCall(call.invite, request)) {
      // Nothing has come of the first one yet, or the bridge makes another offer.
      if (call.state === 'ringing') reply(request, from, '180 Ringing');
      else accept(request, from, call);
    } else if (call || headerOf(request, SECRET_HEADER) !== secret) reply(request, from, '403 Forbidden');
    else if (!offer) reply(request, from, '488 Not Acceptable Here');
    else {
      call = { invite: request, from, offer, state: 'ringing' };
      ring(call).catch(() => {});
    }
  }

  function canceled(ringing: Call): void {
    if (ringing.state !== 'ringing') return;
    ringing.state = 'over';
    reply(ringing.invite, ringing.from, '487 Request Terminated');
  }

  function confirmed(answered: Call): void {
    if (answered.state !== 'answered') return;
    answered.state = 'up';
    sound.connect(answered.offer);
    acknowledged.resolve();
  }

  /** A message of the call, beside the INVITE. */
  function received(message: Message, from: RemoteInfo, current: Call): void {
    const { method } = message;
    if (method === null && headerOf(message, 'CSeq').endsWith('BYE')) byeTaken.resolve();
    if (method !== null && method !== 'ACK') reply(message, from, '200 OK');
    if (method === 'ACK') confirmed(current);
    if (method === 'CANCEL') canceled(current);
    if (method !== 'BYE') return;
    current.state = 'over';
    hungUp.resolve();
  }
  socket.on('message', (packet, from) => {
    const message = readMessage(packet.toString());
    if (message?.method === 'INVITE') invited(message, from);
    else if (message && call && isSameCall(call.invite, message)) received(message, from, call);
  });

  return {
    address,
    secret,
    send: sound.send,
    press: sound.press,
    /** Whether the bridge has called it. */
    isCalled: (): boolean => call !== null,
    /** Resolves once it has been answered. */
    answered: acknowledged.promise,
    /** Resolves if the bridge hangs up. */
    hungUp: hungUp.promise,
    /** Hangs up, unless the bridge has; returns whether that is known there. */
    hangUp: async (): Promise<boolean> => {
      if (call?.state !== 'up') return true;
      call.state = 'over';
      const { invite, from } = call;
      const bye = byeOf(invite, { address, tag });
      return repeat(() => post(bye, from), byeTaken.promise, BYE_MS, closed.signal);
    },
    close: async (): Promise<void> => {
      closed.abort();
      socket.close();
      await sound.close();
    },
  };
}

const isSameCall = (one: Message, other: Message) => headerOf(one, 'Call-ID') === headerOf(other, 'Call-ID');

/** Sends a message again and again, because UDP loses some; returns whether it was answered. */
async function repeat(send: () => void, answered: Promise<void>, ms: number, closed: AbortSignal): Promise<boolean> {
  let isAnswered = false;
  const noted = answered.then(() => {
    isAnswered = true;
  });
  let wait = FIRST_MS;
  for (const until = performance.now() + ms; !isAnswered && performance.now() < until; ) {
    send();
    await Promise.race([noted, sleep(wait, undefined, { signal: closed, ref: false })]);
    wait = Math.min(2 * wait, LONGEST_MS);
  }
  return isAnswered;
}

/** The BYE of the phone that has taken a call: From and To change places. */
function byeOf(invite: Message, { address, tag }: { address: string; tag: string }): string {
  return writeMessage(`BYE ${uriOf(headerOf(invite, 'Contact'))} SIP/2.0`, [
    ['Via', `SIP/2.0/UDP ${address};branch=z9hG4bK${randomBytes(8).toString('hex')}`],
    ['Max-Forwards', '70'],
    ['From', `${headerOf(invite, 'To')};tag=${tag}`],
    ['To', headerOf(invite, 'From')],
    ['Call-ID', headerOf(invite, 'Call-ID')],
    ['CSeq', '1 BYE'],
  ]);
}
