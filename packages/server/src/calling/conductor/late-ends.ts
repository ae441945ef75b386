import type { Session } from '../../conversations/sessions/sessions.ts';
import type { Db } from '../../db/tables.ts';
import type { LineCharges } from '../../ledger/line-charges/line-charges.ts';
import type { Platform } from '../../platform.ts';
import { hasLeft } from './decide.ts';
import { believedAt, happenedAt } from './ends.ts';
import type { Reports } from './seen.ts';

interface Deps extends Pick<Platform, 'log'> {
  lineCharges: LineCharges;
  /** Says what the stored events tell about a room. */
  reportsOf: (room_name: string) => Promise<Reports>;
  /** The same about the rooms with an event that is not handled yet, in a transaction. */
  unhandledOf: (trx: Db, room_names: string[]) => Promise<Map<string, Reports>>;
}

/** Corrects what is billed of calls that end for another reason before the departure of their phone is handled. */
export function createLateEnds({ log, lineCharges, reportsOf, unhandledOf }: Deps) {
  /** When the phones and browsers of answered calls have left, by call, as events say that are not handled yet. */
  async function leftAt(trx: Db, calls: Session[]): Promise<Map<string, Date>> {
    const reports = await unhandledOf(
      trx,
      calls.map(({ room_name }) => room_name),
    );
    return new Map(
      calls.flatMap((call) => {
        const { departure, known = [] } = reports.get(call.room_name) ?? {};
        return departure && hasLeft(call, departure) ? [[call.id, happenedAt(departure.time, call, known)]] : [];
      }),
    );
  }

  /**
   * Bills an ended call until its phone or browser has left, if an event that came later says so. The end of its room
   * says only that they were not there any longer.
   */
  async function adjustLine(call: Session): Promise<void> {
    const { departure, closed, known } = await reportsOf(call.room_name);
    if (departure && !hasLeft(call, departure)) return;
    const time = departure?.time ?? closed;
    const latest = time && believedAt(time, call, known);
    if (!latest) return;
    const earliest = departure ? departure.time.created_at : null;
    if (await lineCharges.adjust(call, { earliest, latest }))
      log.info({ session_id: call.id }, 'adjusted the line charge of an ended call after a late event');
  }

  return { leftAt, adjustLine };
}
