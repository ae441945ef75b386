import { READ_INVITE, receive, replyInside, replyToInvite, scenario } from './scenario.ts';

/** Phones that ring until the CANCEL, which may arrive with the INVITE: between these steps SIPp does nothing else. */
export function ringingNetwork(): string {
  return scenario(
    'ringing telephone network',
    [
      `<recv request="INVITE"><action>${READ_INVITE}</action></recv>`,
      replyToInvite('180 Ringing'),
      receive({ method: 'CANCEL' }),
      replyInside('200 OK'),
      replyToInvite('487 Request Terminated'),
      receive({ method: 'ACK' }),
    ],
    ['match', 'contact', 'phone'],
  );
}

/** A network without room for a call: it refuses as late as the phones of the large one. */
export function refusingNetwork(): string {
  return scenario(
    'telephone network without room',
    [
      `<recv request="INVITE"><action>${READ_INVITE}</action></recv>`,
      '<pause milliseconds="50"/>',
      replyToInvite('503 Service Unavailable'),
      receive({ method: 'ACK' }),
    ],
    ['match', 'contact', 'phone'],
  );
}

/** Phones that answer at once; their audio is at another program's port. */
export function answeringNetwork(audioPort: number): string {
  const audio = [
    ['v=0', 'o=phone 1 1 IN IP4 [local_ip]', 's=-', 'c=IN IP4 [local_ip]', 't=0 0'],
    [`m=audio ${audioPort} RTP/AVP 0`, 'a=rtpmap:0 PCMU/8000', 'a=ptime:20', 'a=sendrecv'],
  ].flat();
  return scenario(
    'answering telephone network',
    [
      `<recv request="INVITE"><action>${READ_INVITE}</action></recv>`,
      replyToInvite('200 OK', audio),
      receive({ method: 'ACK' }),
      receive({ method: 'BYE' }),
      replyInside('200 OK'),
    ],
    ['match', 'contact', 'phone'],
  );
}
