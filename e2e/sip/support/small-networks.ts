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
    ['match', 'line', 'contact', 'phone'],
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
    ['match', 'line', 'contact', 'phone'],
  );
}
