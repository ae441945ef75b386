import { directionOf, type Session, type Transition } from '../../conversations/sessions/sessions.ts';
import type { Db } from '../../db/tables.ts';
import { newId } from '../../lib/ids.ts';
import type { Platform } from '../../platform.ts';
import type { Carrier } from '../../providers/carrier.ts';
import type { Media } from '../../providers/media.ts';
import { billedMinutes, destinationOf, lookUpPrices, type Line as PricedLine } from '../prices/prices.ts';
import { insertUsageEvents } from '../usage/usage.ts';

export type LineCharges = ReturnType<typeof createLineCharges>;

/** Provider of the phone line if phones are real and no carrier is configured: the trunk may be any carrier's. */
const UNKNOWN_CARRIER = 'sip';

/** The connection of a phone or a browser that has ended. */
export interface Leg {
  session: Pick<Session, 'id' | 'user_id' | 'agent_id'>;
  direction: 'INBOUND' | 'OUTBOUND' | 'WEB';
  /** The called number: the destination, or our own for an inbound call. Null for a browser, or if unknown. */
  phone_number: string | null;
  duration_ms: number;
  /** Whether it was in the call's room; the target of a cold transfer never is. */
  was_in_room: boolean;
}

type Match = Awaited<ReturnType<typeof lookUpPrices>>[number];

interface Deps extends Pick<Platform, 'db' | 'clock'> {
  media: Pick<Media, 'name' | 'simulated'>;
  carrier: Pick<Carrier, 'name'>;
}

/**
 * Bills the line: `telephony_minutes` of the carrier for each phone leg, and `media_minutes` of the media provider
 * for each leg in the room.
 */
export function createLineCharges({ db, clock, media, carrier }: Deps) {
  const phoneProvider = !media.simulated && carrier.name === 'sandbox' ? UNKNOWN_CARRIER : carrier.name;

  /** Writes the usage events of legs that end in this transaction, after looking up their prices: two statements. */
  async function bill(trx: Db, legs: Leg[]): Promise<void> {
    const at = clock.now();
    const parts = legs.flatMap((leg) => linesOf(leg, at).map((line) => ({ leg, line })));
    const matches = await lookUpPrices(
      trx,
      parts.map(({ line }) => line),
    );
    const events = parts.map(({ leg, line }, index) => toEvent(leg, line, matches[index] ?? null, at));
    await insertUsageEvents(trx, events);
  }

  function linesOf({ direction, phone_number, was_in_room }: Leg, at: Date): PricedLine[] {
    const common = { direction, phone_number, at };
    return [
      ...(direction === 'WEB'
        ? []
        : [{ ...common, provider: phoneProvider, event_type: 'telephony_minutes' as const }]),
      ...(was_in_room
        ? [{ ...common, phone_number: null, provider: media.name, event_type: 'media_minutes' as const }]
        : []),
    ];
  }

  return {
    bill,
    /**
     * Bills the phone of a call that had ended before its answer was known. Reads the call in the same transaction:
     * its user may have been erased meanwhile.
     */
    billLateAnswer: (readCall: (trx: Db) => Promise<Session>) =>
      db.transaction().execute(async (trx) => bill(trx, [legOf(await readCall(trx), 0)])),
  };
}

/** The usage event of a line of a leg, at the price that matches it; null leaves it unpriced. */
function toEvent({ session, duration_ms }: Leg, line: PricedLine, match: Match, created_at: Date) {
  const { provider, event_type, direction, phone_number } = line;
  return {
    id: newId(),
    session_id: session.id,
    user_id: session.user_id,
    agent_id: session.agent_id,
    created_at,
    provider,
    event_type,
    direction,
    adjusts: null,
    used_on: null,
    model: event_type === 'telephony_minutes' ? destinationOf(phone_number, match) : null,
    quantity: billedMinutes(duration_ms, match?.billing_increment ?? null),
    unit_cost: match?.price ?? null,
  };
}

/** The leg of a call that ends, from answer to end, whatever `duration` a worker or a user reports. */
export function callLeg({ after, at }: Transition): Leg {
  return legOf(after, Math.max(0, at.getTime() - (after.started_at ?? at).getTime()));
}

function legOf(session: Session, duration_ms: number): Leg {
  const direction = directionOf(session) ?? 'WEB';
  const called = direction === 'INBOUND' ? session.our_number : session.outbound_phone_number;
  return { session, direction, phone_number: called, duration_ms, was_in_room: true };
}
