import { CREDENTIALS, HANG_UP, PHONES, REFUSALS } from './phones.ts';
import {
  acknowledge,
  HANDSET_PORT,
  jump,
  label,
  READ_INVITE,
  receive,
  reinvite,
  reply,
  replyInside,
  replyToInvite,
  request,
  scenario,
  sdp,
} from './scenario.ts';

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
const [ANSWER, TALK, CANCELED, CROSSED, BYE, DONE, END] = [901, 902, 903, 904, 905, 906, 999];
const [SILENT, NO_BYE, NOTIFY_BUSY, NOTIFY_OK] = [910, 911, 913, 914];

/** Digits that the table of jumps goes from and to. */
const [FIRST, LAST] = [300, 799];

/** Settings of all phones of a network. */
interface Network {
  /** Plays audio from now on. */
  play: string;
  ringMs: number;
  /** The ringing time of phones that answer late. */
  lateMs: number;
}

/**
 * One scenario is the whole phone network. `audio` is a PCMU file. With `slowMs`, its phones first ring for this
 * long.
 */
export function telephoneNetwork(audio: string, slowMs?: number): string {
  const network: Network = {
    play: `<nop><action><exec rtp_stream="${audio},-1,0,PCMU/8000"/></action></nop>`,
    ringMs: slowMs ?? RING_MS,
    lateMs: slowMs ?? LATE_MS,
  };
  const steps = [
    goToPhone(),
    answeringPhone(network),
    commonEnds(),
    REFUSALS.flatMap((status) => refusingPhone(status, slowMs)),
    hastyPhones(network),
    phonesThatHangUp(network),
    slowPhones(network),
    phonesWithPoorAudio(network),
    phonesWithHandsets(network),
    phoneThatIgnoresBye(network),
    phonesThatWantCredentials(),
    phonesThatRejectCredentials(),
    transferringPhones(network),
    label(END),
  ].flat();
  return scenario('telephone network', steps, ['match']);
}

/**
 * Goes on at the phone's own step, by a table of jumps. A chain of tests would take SIPp a millisecond each, and in
 * that time it would not heed a CANCEL.
 */
function goToPhone(): string[] {
  const phones = new Set<number>([...REFUSALS, ...Object.values(PHONES)]);
  const toItsJump = `<subtract assign_to="phone" value="${FIRST - 3}"/><jump variable="phone"/>`;
  const digits = Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index);
  return [
    `<recv request="INVITE"><action>${READ_INVITE}</action></recv>`,
    `<nop><action>${toItsJump}</action></nop>`,
    ...digits.map((phone) => jump(phones.has(phone) ? phone : PHONES.answers)),
  ];
}

function answeringPhone({ ringMs, play }: Network): string[] {
  return [
    [label(PHONES.answers), ...ring(ringMs, ANSWER), label(ANSWER), ...answer()],
    [label(TALK), play, receive({ method: 'BYE', next: DONE })],
  ].flat();
}

/** Ends of calls that many phones go on at. */
function commonEnds(): string[] {
  return [
    [label(DONE), replyInside('200 OK'), jump(END)],
    [label(CROSSED), replyInside('200 OK'), receive({ method: 'ACK', next: TALK })],
    [label(CANCELED), replyInside('200 OK'), replyToInvite('487 Request Terminated')],
    receive({ method: 'ACK', next: END }),
    [label(BYE), request('BYE', 20), `<recv response="200" next="${END}"/>`],
  ].flat();
}

function refusingPhone(status: number, slowMs: number | undefined): string[] {
  return [
    label(status),
    ...(slowMs ? ringFor(slowMs, status + 1000) : takeTime(status + 1000)),
    replyToInvite(`${status} Refused`),
    receive({ method: 'ACK', next: END }),
  ];
}

/** Audio before the answer, and an answer without ringing. */
function hastyPhones({ play, ringMs }: Network): string[] {
  return [
    [label(PHONES.earlyMedia), reply('183 Session Progress', sdp('pcmu')), play],
    receive({ method: 'CANCEL', next: CANCELED, within: [ringMs, ANSWER] }),
    [label(PHONES.answersWithoutRinging), jump(ANSWER)],
    [label(PHONES.failsAfterEarlyMedia), reply('183 Session Progress', sdp('pcmu'))],
    receive({ method: 'CANCEL', next: CANCELED, within: [ringMs, 503] }),
  ].flat();
}

function phonesThatHangUp({ play, ringMs }: Network): string[] {
  const hangUp = (phone: number, id: number, afterMs: number) => [
    ...pickUp(phone, ringMs, id),
    play,
    receive({ method: 'BYE', next: DONE, within: [afterMs, BYE] }),
  ];
  return [
    hangUp(PHONES.hangsUpAfterASecond, 920, 1000),
    hangUp(PHONES.hangsUpLate, 921, LATE_MS),
    hangUp(PHONES.hangsUpLater, 924, LATER_MS),
    // About when the bridge reports the answer.
    [label(PHONES.hangsUpAtOnce), ...ringFor(ringMs, 930), answerUnconfirmed(), jump(BYE)],
  ].flat();
}

/** Phones that nobody picks up, or late, or only to refuse. */
function slowPhones({ lateMs }: Network): string[] {
  return [
    [label(PHONES.ringsOut), ...ring(FOREVER_MS, END)],
    [label(PHONES.triesOnly), reply('100 Trying')],
    receive({ method: 'CANCEL', next: CANCELED, within: [FOREVER_MS, END] }),
    [label(PHONES.answersLate), ...ring(lateMs, ANSWER)],
    [label(PHONES.busyAfterASecond), ...ringFor(1000, 922)],
    [reply('486 Busy Here'), receive({ method: 'ACK', next: END })],
    [label(PHONES.answersTheCancel), replyToInvite('180 Ringing'), receive({ method: 'CANCEL' })],
    [replyToInvite('200 OK', sdp('pcmu')), replyInside('200 OK'), receive({ method: 'ACK', next: TALK })],
  ].flat();
}

/** Phones whose audio is another program's. */
function phonesWithHandsets({ lateMs, ringMs }: Network): string[] {
  return [
    [...pickUp(PHONES.hasHandset, lateMs, 931, HANDSET_PORT), receive({ method: 'BYE', next: DONE })],
    pickUp(PHONES.talks, ringMs, 932, HANDSET_PORT),
    receive({ method: HANG_UP, next: BYE }, { method: 'BYE', next: DONE }),
  ].flat();
}

/** No audio, audio that stops, and audio of a codec that was not offered. */
function phonesWithPoorAudio({ play, ringMs }: Network): string[] {
  return [
    [...pickUp(PHONES.sendsNoAudio, ringMs, SILENT), receive({ method: 'BYE', next: DONE })],
    [...pickUp(PHONES.fallsSilent, ringMs, 926), play],
    receive({ method: 'BYE', next: DONE, within: [LATE_MS, 927] }),
    [label(927), '<nop><action><exec rtp_stream="pause"/></action></nop>', receive({ method: 'BYE', next: DONE })],
    [...pickUp(PHONES.holds, ringMs, 928), play],
    receive({ method: 'BYE', next: DONE, within: [1000, 929] }),
    [label(929), '<nop><action><exec rtp_stream="pause"/></action></nop>', reinvite('sendonly')],
    [
      '<recv response="100" optional="true"/>\n<recv response="200"/>',
      acknowledge(),
      receive({ method: 'BYE', next: DONE }),
    ],
    [label(PHONES.otherCodec), ...ringFor(ringMs, 923), replyToInvite('200 OK', sdp('g729'))],
    receive({ method: 'CANCEL', next: CROSSED }, { method: 'ACK', next: 925 }, { method: 'BYE', next: DONE }),
    [label(925), receive({ method: 'BYE', next: DONE })],
  ].flat();
}

function phoneThatIgnoresBye({ play, ringMs }: Network): string[] {
  return [
    [...pickUp(PHONES.ignoresBye, ringMs, NO_BYE), play, receive({ method: 'BYE' })],
    `<pause milliseconds="${FOREVER_MS}"/>`,
  ].flat();
}

/** Those of a phone it checks; those of a proxy it asks for in vain. */
function phonesThatWantCredentials(): string[] {
  const { wantsCredentials, wantsProxyCredentials, answers } = PHONES;
  const { username, password } = CREDENTIALS;
  const verify = `<verifyauth assign_to="yes" username="${username}" password="${password}"/>`;
  return [
    [label(wantsCredentials), ...takeTime(wantsCredentials + 1000)],
    [reply('401 Unauthorized', [], [`WWW-Authenticate: ${CHALLENGE}`]), receive({ method: 'ACK' })],
    `<recv request="INVITE" timeout="5000" ontimeout="${END}"><action>${READ_INVITE}${verify}</action></recv>`,
    [`<nop next="${answers}" test="yes"/>`, reply('403 Forbidden'), receive({ method: 'ACK', next: END })],
    [label(wantsProxyCredentials), ...takeTime(wantsProxyCredentials + 1000)],
    reply('407 Proxy Authentication Required', [], [`Proxy-Authenticate: ${CHALLENGE}`]),
    receive({ method: 'ACK', next: END }),
  ].flat();
}

/** Phones that ask again, whatever credentials they get, as most trunks do. */
function phonesThatRejectCredentials(): string[] {
  const again = (phone: number, status: string, header: string) => [
    label(phone),
    ...takeTime(phone + 1000),
    reply(status, [], [`${header}: ${CHALLENGE}`]),
    receive({ method: 'ACK' }),
    receive({ method: 'INVITE', next: phone, within: [5000, END] }),
  ];
  return [
    again(PHONES.rejectsCredentials, '401 Unauthorized', 'WWW-Authenticate'),
    again(PHONES.rejectsProxyCredentials, '407 Proxy Authentication Required', 'Proxy-Authenticate'),
  ].flat();
}

/** Phones whose network answers a REFER. */
function transferringPhones(network: Network): string[] {
  const transferred = [...notifyEnd('200 OK'), receive({ method: 'BYE', next: DONE })];
  const late = receive({ method: 'BYE', next: DONE, within: [LATE_MS, 915] });
  return [
    refer(PHONES.takesRefer, network, [replyInside('202 Accepted'), jump(NOTIFY_OK)]),
    refer(PHONES.takesReferLate, network, [replyInside('202 Accepted'), ...notifyStart(), late]),
    [label(915), ...transferred],
    refer(PHONES.failsRefer, network, [replyInside('202 Accepted'), jump(NOTIFY_BUSY)]),
    refer(PHONES.refusesRefer, network, [replyInside('603 Decline'), receive({ method: 'BYE', next: DONE })]),
    [label(NOTIFY_OK), ...notifyStart(), ...transferred],
    [label(NOTIFY_BUSY), ...notifyStart(), ...notifyEnd('486 Busy Here'), receive({ method: 'BYE', next: DONE })],
  ].flat();
}

/** Rings, answers, and waits for a REFER. */
function refer(phone: number, { play, ringMs }: Network, then: string[]): string[] {
  return [
    [...pickUp(phone, ringMs, phone + 50), play],
    receive({ method: 'REFER', next: phone + 100 }, { method: 'BYE', next: DONE }),
    [label(phone + 100), receive({ method: 'BYE', next: DONE, within: [REFUSE_MS, phone + 1000] })],
    [label(phone + 1000), ...then],
  ].flat();
}

const notifyStart = () => notify(30, 'active;expires=60', 'SIP/2.0 100 Trying');
/** How the transfer went: a SIP status. */
const notifyEnd = (status: string) => notify(31, 'terminated;reason=noresource', `SIP/2.0 ${status}`);

function notify(cseq: number, state: string, fragment: string): string[] {
  const headers = ['Event: refer', `Subscription-State: ${state}`, 'Content-Type: message/sipfrag;version=2.0'];
  return [request('NOTIFY', cseq, headers, [fragment]), '<recv response="200"/>'];
}

/** Rings, and answers. `id` is a label of its own. */
const pickUp = (phone: number, ringMs: number, id: number, audioPort?: string) => [
  label(phone),
  ...ringFor(ringMs, id),
  ...answer(audioPort),
];

/** Answers; a CANCEL may cross that. */
const answer = (audioPort?: string) => [
  replyToInvite('200 OK', sdp('pcmu', audioPort)),
  receive({ method: 'CANCEL', next: CROSSED }, { method: 'ACK' }),
];

/** The same without waiting for the ACK: SIPp goes on only once a message that it repeats is acknowledged. */
const answerUnconfirmed = () => replyToInvite('200 OK', sdp('pcmu')).replace(' retrans="500"', '');

const ring = (ms: number, next: number) => [
  replyToInvite('180 Ringing'),
  receive({ method: 'CANCEL', next: CANCELED, within: [ms, next] }),
];
/** Waits before a final answer; the label is one of its own. */
const takeTime = (id: number) => [receive({ method: 'CANCEL', next: CANCELED, within: [REFUSE_MS, id] }), label(id)];
/** Rings before a final answer; the same. */
const ringFor = (ms: number, id: number) => [...ring(ms, id), label(id)];
