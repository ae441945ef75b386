import { directionOf, type Session, type Transition } from '../../conversations/sessions/sessions.ts';
import type { Db } from '../../db/tables.ts';
import { multiplyDecimals } from '../../lib/decimal.ts';
import { newId } from '../../lib/ids.ts';
import type { Platform } from '../../platform.ts';
import type { Carrier } from '../../providers/carrier.ts';
import type { Media } from '../../providers/media.ts';
import { billedMinutes, destinationOf, lockPricing, lookUpPrices, type Line as PricedLine } from '../prices/prices.ts';
import { insertUsageEvents } from '../usage/usage.ts';
import { type BilledLine, listLines } from './store.ts';

export type LineCharges = ReturnType<typeof createLineCharges>;

/** Provider of the phone line if phones are real and no carrier is configured: the trunk may be any carrier's. */
const UNKNOWN_CARRIER = 'sip';

/** How long before or after its bill a connection may have ended for the bill to be adjusted. */
const WINDOW_MS = 60_000;
/** Difference of two clocks that is not noticed. */
const MAX_SKEW_MS = 1_000;

/** The connection of a phone or a browser that has ended. */
export interface Leg {
  session: Pick<Session, 'id' | 'user_id' | 'agent_id'>;
  direction: 'INBOUND' | 'OUTBOUND' | 'WEB';
  /** The called number: the destination, or our own for an inbound call. Null for a browser, or if unknown. */
  phone_number: string | null;
  duration_ms: number;
  /** Whether it was in the call's room; the target of a cold transfer never is. */
  was_in_room: boolean;
  /** The outbound trunk that carried it; absent where that is not known. */
  trunk?: string | undefined;
}

/** When a connection has ended, at the earliest and at the latest; it may have been any time before if that is null. */
interface End {
  earliest: Date | null;
  latest: Date;
}

type Increment = Parameters<typeof billedMinutes>[1];
type Match = Awaited<ReturnType<typeof lookUpPrices>>[number];

interface Deps extends Pick<Platform, 'db' | 'clock'> {
  media: Pick<Media, 'name' | 'simulated' | 'trunks'>;
  carrier: Pick<Carrier, 'name'>;
}

/**
 * Bills the line: `telephony_minutes` of the carrier for each phone leg, and `media_minutes` of the media provider
 * for each leg in the room.
 */
export function createLineCharges({ db, clock, media, carrier }: Deps) {
  const phoneProvider = !media.simulated && carrier.name === 'sandbox' ? UNKNOWN_CARRIER : carrier.name;
  const carriers = new Map(media.trunks.flat().map(({ id, carrier: other = phoneProvider }) => [id, other]));

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

  function linesOf({ direction, phone_number, was_in_room, trunk }: Leg, at: Date): PricedLine[] {
    const common = { direction, phone_number, at };
    return [
      ...(direction === 'WEB'
        ? []
        : [
            {
              ...common,
              provider: carriers.get(trunk ?? '') ?? phoneProvider,
              event_type: 'telephony_minutes' as const,
            },
          ]),
      ...(was_in_room
        ? [{ ...common, phone_number: null, provider: media.name, event_type: 'media_minutes' as const }]
        : []),
    ];
  }

  /**
   * Bills the phone or browser of a call that has been billed until it has really ended, by entries that adjust its
   * lines; false if what was billed may be right. Repeated, it finds nothing to adjust. The line of a call with the
   * target of a transfer in the same direction stays as it is: the ledger does not say which line is whose.
   */
  async function adjust(call: Session, end: End): Promise<boolean> {
    // Mostly there is nothing to adjust, and nobody has to wait for it.
    if ((await adjustments(db, call, end)).length === 0) return false;
    return db.transaction().execute(async (trx) => {
      // One at a time, and not while an erasure gives the lines to another user.
      await lockPricing(trx);
      const entries = await adjustments(trx, call, end);
      if (entries.length > 0) await insertUsageEvents(trx, entries);
      return entries.length > 0;
    });
  }

  async function adjustments(within: Db, call: Session, end: End) {
    const { direction, phone_number } = legOf(call, 0);
    const all = await listLines(within, call, direction);
    if (new Set(all.map(({ event_type }) => event_type)).size < all.length) return [];
    const lines = all.filter((line) => isNear(line, end));
    const matches = await lookUpPrices(
      within,
      lines.map(({ provider, event_type, created_at: at }) => {
        const called = event_type === 'telephony_minutes' ? phone_number : null;
        return { provider, event_type, direction, phone_number: called, at };
      }),
    );
    return lines.flatMap((line, index) => {
      const minutes = excess(line, call.started_at ?? end.latest, end, matches[index]?.billing_increment ?? null);
      return minutes === null ? [] : [toAdjustment(line, minutes, clock.now())];
    });
  }

  return {
    bill,
    adjust,
    /**
     * Bills the phone of a call that had ended before its answer was known, once. Reads the call in the same
     * transaction, locked: its user may have been erased meanwhile.
     */
    billLateAnswer: (lockCall: (trx: Db) => Promise<Session>) =>
      db.transaction().execute(async (trx) => {
        const call = await lockCall(trx);
        const leg = legOf(call, 0);
        // A commit whose response was lost is repeated.
        if ((await listLines(trx, call, leg.direction)).length === 0) await bill(trx, [leg]);
      }),
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

function isNear({ created_at, is_open }: BilledLine, { latest }: End): boolean {
  return is_open && Math.abs(created_at.getTime() - latest.getTime()) <= WINDOW_MS;
}

/** The minutes to add to a line, as a decimal; null if it was billed as long as its connection may have lasted. */
function excess(line: BilledLine, started_at: Date, { earliest, latest }: End, increment: Increment) {
  const minutes = (end: Date, skew: number) => billedMinutes(end.getTime() - started_at.getTime() + skew, increment);
  const billed = Number(line.billed);
  const isLong = billed > Number(minutes(latest, MAX_SKEW_MS));
  const isShort = earliest !== null && billed < Number(minutes(earliest, -MAX_SKEW_MS));
  if (!isLong && !isShort) return null;
  const wanted = minutes(isLong ? latest : (earliest ?? latest), 0);
  // Both have six places.
  return multiplyDecimals(String(Math.round((Number(wanted) - billed) * 1_000_000)), '0.000001');
}

function toAdjustment(line: BilledLine, quantity: string, created_at: Date) {
  const { id, day, billed: _, is_open: _open, ...same } = line;
  return { ...same, id: newId(), created_at, quantity, adjusts: id, used_on: day };
}

/** The leg of a call that ends, from answer to end, whatever `duration` a worker or a user reports. */
export function callLeg({ after, at }: Transition): Leg {
  return legOf(after, Math.max(0, at.getTime() - (after.started_at ?? at).getTime()));
}

function legOf(session: Session, duration_ms: number): Leg {
  const direction = directionOf(session) ?? 'WEB';
  const called = direction === 'INBOUND' ? session.our_number : session.outbound_phone_number;
  const trunk = session.trunks?.at(-1)?.trunk;
  return { session, direction, phone_number: called, duration_ms, was_in_room: true, trunk };
}
