import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { INBOUND_ROOM_PREFIX } from '../livekit/inbound.ts';
import type { DialOutcome, DialRequest, ReferOutcome } from '../phones.ts';
import type { Phone } from '../rooms.ts';
import { readTrunks } from '../trunks.ts';
import { reactionOf } from './population.ts';
import type { Room, SandboxRooms, Seat } from './rooms.ts';

/** The behavior of a sandbox phone. By default it is answered after a short ring and stays. */
interface PhoneBehavior {
  rings_out?: true;
  refusal?: { end_reason: string; sip_status_code: number };
  /** The trunks that refuse the call: all, or the first one only. Nothing rings then, unless it `has_rung`. */
  refused_by?: 'all' | 'first';
  has_rung?: true;
  hangs_up_after_ms?: number;
}

const BUSY: PhoneBehavior = { refusal: { end_reason: 'busy', sip_status_code: 486 } };
const TRUNK_FAILURE = { end_reason: 'trunk_failure', sip_status_code: 503 };

/** Two trunks, of which the second one takes over what the first one refuses. */
const FIRST = 'sandbox-1';
const TRUNKS = readTrunks(`${FIRST},sandbox-2`);

/** The magic numbers; every other phone answers, but for the population. SIP statuses are those of real phones. */
const MAGIC_NUMBERS: Record<string, PhoneBehavior> = {
  '+15005550001': BUSY,
  '+15005550002': { rings_out: true },
  '+15005550003': { refusal: { end_reason: 'declined', sip_status_code: 603 } },
  '+15005550004': { refusal: TRUNK_FAILURE, refused_by: 'all' },
  '+15005550005': { hangs_up_after_ms: 1000 },
  '+15005550006': { refusal: TRUNK_FAILURE, refused_by: 'first' },
  '+15005550007': { refusal: TRUNK_FAILURE, refused_by: 'first', has_rung: true },
};

/** How long people of the population stay on the phone, in the time that it rings. */
const SHORT = 10;
const LONG = 80;
/** Time to be heard even on a slow machine: an agent that takes such requests then hangs up by itself. */
const UNTIL_HEARD = 200;

/** How a phone behaves that is dialled over a trunk. */
function behaviorOver(trunk: string, phone_number: string, ringMs: number): PhoneBehavior {
  const { refusal, refused_by, ...phone } = behaviorOf(phone_number, ringMs);
  if (refused_by === 'first' && trunk !== FIRST) return phone;
  return { ...phone, ...(refusal && { refusal }), ...(refused_by && { refused_by }) };
}

/** How a phone behaves. People of the population hang up by themselves. */
function behaviorOf(phone_number: string, ringMs: number): PhoneBehavior {
  const magic = MAGIC_NUMBERS[phone_number];
  const reaction = reactionOf(phone_number);
  if (magic || !reaction) return magic ?? {};
  if (reaction === 'busy') return BUSY;
  if (reaction === 'rings_out') return { rings_out: true };
  if (reaction === 'hangs_up') return { hangs_up_after_ms: SHORT * ringMs };
  if (reaction === 'objects') return { hangs_up_after_ms: UNTIL_HEARD * ringMs };
  // Not all at the same time.
  return { hangs_up_after_ms: (LONG + Number(phone_number.slice(-3, -1))) * ringMs };
}

interface Deps {
  clock: Clock;
  rooms: SandboxRooms;
  ringMs: number;
  /** How long a dialled phone takes to join its room, which it creates if necessary. */
  joinMs: number;
}

const CANCELED: DialOutcome = { answered: false, no_answer: false, end_reason: 'canceled', sip_status_code: 487 };

/** Made up, as LiveKit's bridge names its calls. */
export const sandboxCallId = () => `SCL_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
const sipCallId = () => `${randomUUID()}@sandbox.invalid`;

function phoneFor({
  phone_number: number,
  from_number: our_number = null,
  trunk: trunk_id = FIRST,
}: DialRequest): Phone {
  const ids = { trunk_id, sip_call_id: null, bridge_call_id: sandboxCallId(), carrier_call_sid: null };
  return { state: 'dialing', number, our_number, caller_id: number, ...ids, headers: {} };
}

/** Dials phones of the sandbox, which behave according to their numbers. */
export function createSandboxDialling({ clock, rooms, ringMs, joinMs }: Deps) {
  async function ring(seat: Seat, phone: PhoneBehavior, timeoutMs: number): Promise<DialOutcome> {
    const ringsMs = phone.rings_out ? ringMs * 10 : ringMs;
    if (seat.phone && (!phone.refused_by || phone.has_rung)) seat.phone.state = 'ringing';
    try {
      await clock.sleep(Math.min(ringsMs, timeoutMs), seat.left.signal);
    } catch {
      return CANCELED;
    }
    if (phone.rings_out || ringsMs > timeoutMs)
      return { answered: false, no_answer: true, end_reason: 'no_answer', sip_status_code: null };
    if (!phone.refusal) return { answered: true };
    const by_trunk = phone.refused_by && { by_trunk: 'refused' as const };
    return { answered: false, no_answer: false, ...phone.refusal, ...by_trunk };
  }

  /** A real bridge, too, leaves the state of a phone that its trunk refused: it shows whether it has rung. */
  function leave(room: Room, seat: Seat, { by_trunk, no_answer }: Extract<DialOutcome, { answered: false }>): void {
    const reason = no_answer ? 'USER_UNAVAILABLE' : 'USER_REJECTED';
    if (by_trunk) rooms.leave(room, seat, reason);
    else rooms.hangUp(room, seat, reason);
  }

  async function dial(call: DialRequest, canceled?: AbortSignal): Promise<DialOutcome> {
    if (joinMs > 0) await clock.sleep(joinMs);
    if (canceled?.aborted) return CANCELED;
    const room = rooms.open(call.room_name);
    const phone = phoneFor(call);
    const seat = rooms.join(room, { identity: call.identity, kind: 'SIP', phone });
    // The bridge answers a caller when a second phone joins, even if that only rings.
    if (call.room_name.startsWith(INBOUND_ROOM_PREFIX))
      for (const other of room.seats.values()) if (other !== seat && other.phone) other.phone.state = 'active';
    const cancel = () => rooms.leave(room, seat, 'PARTICIPANT_REMOVED');
    canceled?.addEventListener('abort', cancel);
    const behavior = behaviorOver(phone.trunk_id ?? FIRST, call.phone_number, ringMs);
    const outcome = await ring(seat, behavior, call.ringing_timeout_s * 1000);
    canceled?.removeEventListener('abort', cancel);
    if (!outcome.answered) {
      leave(room, seat, outcome);
      return outcome;
    }
    // A bridge tells the Call-ID of its dialog once it is answered.
    Object.assign(phone, { state: 'active', sip_call_id: sipCallId() });
    const talksMs = behavior.hangs_up_after_ms ?? Number.POSITIVE_INFINITY;
    // The phone stays connected after this has returned.
    rooms.hangUpLater(room, seat, Math.min(talksMs, call.max_duration_s * 1000));
    return outcome;
  }

  async function refer(room_name: string, identity: string, phone_number: string): Promise<ReferOutcome> {
    const room = rooms.find(room_name);
    const seat = room?.seats.get(identity);
    if (!room || !seat) return { accepted: false, end_reason: 'media_lost', sip_status_code: null };
    const outcome = await ring(seat, behaviorOver(FIRST, phone_number, ringMs), ringMs * 10);
    if (!outcome.answered)
      return { accepted: false, end_reason: outcome.end_reason, sip_status_code: outcome.sip_status_code };
    rooms.hangUp(room, seat);
    return { accepted: true };
  }

  return { trunks: TRUNKS, dial, refer };
}
