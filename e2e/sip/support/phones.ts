import { jump, label, receive, reply, replyInside, replyToInvite, request, scenario, sdp } from './scenario.ts';

/** SIP statuses with which a phone refuses a call: digits 5 to 7 of its number. */
export const REFUSALS = [
  302, 402, 403, 404, 408, 410, 415, 480, 484, 486, 487, 488, 500, 503, 600, 603, 604, 606, 607, 608,
] as const;

/** The behavior of the other phones, by the same digits. */
export const PHONES = {
  answers: 700,
  earlyMedia: 701,
  answersWithoutRinging: 702,
  hangsUpAfterASecond: 703,
  ringsOut: 704,
  answersTheCancel: 705,
  sendsNoAudio: 706,
  ignoresBye: 707,
  triesOnly: 708,
  otherCodec: 709,
  wantsCredentials: 710,
  takesRefer: 711,
  refusesRefer: 712,
  failsRefer: 713,
  answersLate: 714,
  hangsUpLate: 715,
  busyAfterASecond: 716,
  wantsProxyCredentials: 717,
  takesReferLate: 718,
  hangsUpLater: 719,
  fallsSilent: 720,
} as const;

export type Phone = keyof typeof PHONES | (typeof REFUSALS)[number];

export const CREDENTIALS = { username: 'lab', password: 'lab-password' };

const CHALLENGE = 'Digest realm="lab", nonce="4f1c", algorithm=MD5';
/**
 * Minimum time before a phone refuses: sipgo 0.13 sets a transaction's timers after it has sent the request, and
 * considers a transaction failed if its final response came before.
 */
const REFUSE_MS = 50;
const RING_MS = 300;
const LATE_MS = 6_000;
const LATER_MS = 20_000;
/** Longer than a test takes. */
const FOREVER_MS = 600_000;

// Labels. Those of phones are their digits.
const [ANSWER, TALK, CANCELED, CROSSED, BYE, DONE] = [901, 902, 903, 904, 905, 906];
const [SILENT, NO_BYE, NOTIFY_BUSY, NOTIFY_OK] = [910, 911, 913, 914];

const header = (name: string, variable: string, pattern = '.*') =>
  `<ereg regexp="${pattern}" search_in="hdr" header="${name}:" assign_to="${variable}"/>`;

const READ_INVITE = [
  '<ereg regexp="sip:[+]1415([0-9]{3})[0-9]{4}@" search_in="hdr" header="To:" assign_to="match,digits"/>',
  [header('From', 'from'), header('To', 'to'), header('Via', 'via'), header('CSeq', 'cseq', ' *[0-9]+')],
  '<ereg regexp="sip:[^&gt;]*" search_in="hdr" header="Contact:" assign_to="contact"/>',
  '<todouble assign_to="phone" variable="digits"/>',
]
  .flat()
  .join('');

/**
 * Goes on at the step of this number, in a table of jumps that stands next. A chain of tests would take SIPp a
 * millisecond each, and in that time it would not heed a CANCEL.
 */
const [FIRST, LAST] = [300, 799];
const TO_ITS_PHONE = `<subtract assign_to="phone" value="${FIRST - 3}"/><jump variable="phone"/>`;
const VERIFY = `<verifyauth assign_to="yes" username="${CREDENTIALS.username}" password="${CREDENTIALS.password}"/>`;

const ring = (ms: number, next: number) => [
  replyToInvite('180 Ringing'),
  receive({ method: 'CANCEL', next: CANCELED, within: [ms, next] }),
];
/** Waits before a final answer; the label is one of its own. */
const takeTime = (id: number) => [receive({ method: 'CANCEL', next: CANCELED, within: [REFUSE_MS, id] }), label(id)];
/** Rings before a final answer; the same. */
const ringFor = (ms: number, id: number) => [...ring(ms, id), label(id)];
const notify = (cseq: number, state: string, fragment: string) => [
  request(
    'NOTIFY',
    cseq,
    ['Event: refer', `Subscription-State: ${state}`, 'Content-Type: message/sipfrag;version=2.0'],
    [fragment],
  ),
  '<recv response="200"/>',
];

/**
 * One scenario is the whole phone network. `audio` is a PCMU file. With `slowMs`, its phones first ring for this
 * long.
 */
export function telephoneNetwork(audio: string, slowMs?: number): string {
  const p = PHONES;
  const ringMs = slowMs ?? RING_MS;
  const lateMs = slowMs ?? LATE_MS;
  const phones = new Set<number>([...REFUSALS, ...Object.values(p)]);
  const play = `<nop><action><exec rtp_stream="${audio},-1,0,PCMU/8000"/></action></nop>`;
  /** Rings, answers, and waits for a REFER. */
  const refer = (phone: number, then: string[]) =>
    [
      [label(phone), ...ring(ringMs, phone + 50), label(phone + 50), replyToInvite('200 OK', sdp('pcmu'))],
      [receive({ method: 'CANCEL', next: CROSSED }, { method: 'ACK' }), play],
      [receive({ method: 'REFER', next: phone + 100 }, { method: 'BYE', next: DONE }), label(phone + 100)],
      [receive({ method: 'BYE', next: DONE, within: [REFUSE_MS, phone + 1000] }), label(phone + 1000), ...then],
    ].flat();
  const steps = [
    `<recv request="INVITE"><action>${READ_INVITE}</action></recv>`,
    `<nop><action>${TO_ITS_PHONE}</action></nop>`,
    ...Array.from({ length: LAST - FIRST + 1 }, (_, index) =>
      jump(phones.has(FIRST + index) ? FIRST + index : p.answers),
    ),

    [label(p.answers), ...ring(ringMs, ANSWER)],
    [
      label(ANSWER),
      replyToInvite('200 OK', sdp('pcmu')),
      receive({ method: 'CANCEL', next: CROSSED }, { method: 'ACK' }),
    ],
    [label(TALK), play, receive({ method: 'BYE', next: DONE })],
    [label(DONE), replyInside('200 OK'), jump(999)],
    [label(CROSSED), replyInside('200 OK'), receive({ method: 'ACK', next: TALK })],
    [
      label(CANCELED),
      replyInside('200 OK'),
      replyToInvite('487 Request Terminated'),
      receive({ method: 'ACK', next: 999 }),
    ],
    [label(BYE), request('BYE', 20), '<recv response="200" next="999"/>'],
    ...REFUSALS.flatMap((status) => [
      label(status),
      ...(slowMs ? ringFor(slowMs, status + 1000) : takeTime(status + 1000)),
      replyToInvite(`${status} Refused`),
      receive({ method: 'ACK', next: 999 }),
    ]),

    [label(p.earlyMedia), reply('183 Session Progress', sdp('pcmu')), play],
    receive({ method: 'CANCEL', next: CANCELED, within: [ringMs, ANSWER] }),
    [label(p.answersWithoutRinging), jump(ANSWER)],

    [label(p.hangsUpAfterASecond), ...ring(ringMs, 920), label(920), replyToInvite('200 OK', sdp('pcmu'))],
    [receive({ method: 'CANCEL', next: CROSSED }, { method: 'ACK' }), play],
    receive({ method: 'BYE', next: DONE, within: [1000, BYE] }),
    [label(p.hangsUpLate), ...ring(ringMs, 921), label(921), replyToInvite('200 OK', sdp('pcmu'))],
    [receive({ method: 'CANCEL', next: CROSSED }, { method: 'ACK' }), play],
    receive({ method: 'BYE', next: DONE, within: [LATE_MS, BYE] }),

    [label(p.hangsUpLater), ...ring(ringMs, 924), label(924), replyToInvite('200 OK', sdp('pcmu'))],
    [receive({ method: 'CANCEL', next: CROSSED }, { method: 'ACK' }), play],
    receive({ method: 'BYE', next: DONE, within: [LATER_MS, BYE] }),
    [label(p.ringsOut), ...ring(FOREVER_MS, 999)],
    [label(p.triesOnly), reply('100 Trying'), receive({ method: 'CANCEL', next: CANCELED, within: [FOREVER_MS, 999] })],
    [label(p.answersLate), ...ring(lateMs, ANSWER)],
    [
      label(p.busyAfterASecond),
      ...ring(1000, 922),
      label(922),
      reply('486 Busy Here'),
      receive({ method: 'ACK', next: 999 }),
    ],
    [label(p.answersTheCancel), replyToInvite('180 Ringing'), receive({ method: 'CANCEL' })],
    [replyToInvite('200 OK', sdp('pcmu')), replyInside('200 OK'), receive({ method: 'ACK', next: TALK })],

    [label(p.sendsNoAudio), ...ring(ringMs, SILENT), label(SILENT), replyToInvite('200 OK', sdp('pcmu'))],
    [receive({ method: 'CANCEL', next: CROSSED }, { method: 'ACK' }), receive({ method: 'BYE', next: DONE })],
    [label(p.fallsSilent), ...ring(ringMs, 926), label(926), replyToInvite('200 OK', sdp('pcmu'))],
    [receive({ method: 'CANCEL', next: CROSSED }, { method: 'ACK' }), play],
    receive({ method: 'BYE', next: DONE, within: [LATE_MS, 927] }),
    [label(927), '<nop><action><exec rtp_stream="pause"/></action></nop>', receive({ method: 'BYE', next: DONE })],
    [label(p.otherCodec), ...ring(ringMs, 923), label(923), replyToInvite('200 OK', sdp('g729'))],
    [
      receive({ method: 'CANCEL', next: CROSSED }, { method: 'ACK', next: 925 }, { method: 'BYE', next: DONE }),
      label(925),
      receive({ method: 'BYE', next: DONE }),
    ],
    [label(p.ignoresBye), ...ring(ringMs, NO_BYE), label(NO_BYE), replyToInvite('200 OK', sdp('pcmu'))],
    [receive({ method: 'CANCEL', next: CROSSED }, { method: 'ACK' }), play, receive({ method: 'BYE' })],
    `<pause milliseconds="${FOREVER_MS}"/>`,

    [label(p.wantsCredentials), ...takeTime(p.wantsCredentials + 1000)],
    reply('401 Unauthorized', [], [`WWW-Authenticate: ${CHALLENGE}`]),
    receive({ method: 'ACK' }),
    `<recv request="INVITE" timeout="5000" ontimeout="999"><action>${READ_INVITE}${VERIFY}</action></recv>`,
    [`<nop next="${p.answers}" test="yes"/>`, reply('403 Forbidden'), receive({ method: 'ACK', next: 999 })],

    [
      label(p.wantsProxyCredentials),
      ...takeTime(p.wantsProxyCredentials + 1000),
      reply('407 Proxy Authentication Required', [], [`Proxy-Authenticate: ${CHALLENGE}`]),
    ],
    receive({ method: 'ACK', next: 999 }),

    ...refer(p.takesRefer, [replyInside('202 Accepted'), jump(NOTIFY_OK)]),
    ...refer(
      p.takesReferLate,
      [
        [replyInside('202 Accepted'), ...notify(30, 'active;expires=60', 'SIP/2.0 100 Trying')],
        [receive({ method: 'BYE', next: DONE, within: [LATE_MS, 915] }), label(915)],
        [...notify(31, 'terminated;reason=noresource', 'SIP/2.0 200 OK'), receive({ method: 'BYE', next: DONE })],
      ].flat(),
    ),
    ...refer(p.failsRefer, [replyInside('202 Accepted'), jump(NOTIFY_BUSY)]),
    ...refer(p.refusesRefer, [replyInside('603 Decline'), receive({ method: 'BYE', next: DONE })]),
    [label(NOTIFY_OK), ...notify(30, 'active;expires=60', 'SIP/2.0 100 Trying')],
    [...notify(31, 'terminated;reason=noresource', 'SIP/2.0 200 OK'), receive({ method: 'BYE', next: DONE })],
    [label(NOTIFY_BUSY), ...notify(30, 'active;expires=60', 'SIP/2.0 100 Trying')],
    [...notify(31, 'terminated;reason=noresource', 'SIP/2.0 486 Busy Here'), receive({ method: 'BYE', next: DONE })],
    label(999),
  ].flat();
  return scenario('telephone network', steps, ['match']);
}

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
