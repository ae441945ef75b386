import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Db } from '../../db/tables.ts';
import { createFailureLog } from '../../lib/failure-log.ts';
import type { Platform } from '../../platform.ts';
import type { Participant, Rooms } from '../../providers/rooms.ts';
import { hasCaller, isAgent, targetOf } from '../conductor/parties.ts';
import { createHearing } from './hearing.ts';
import { type ConsultationEnd, findTransfer, findTransferInProgress, type Transfer } from './store.ts';
import type { TransferRecords } from './transfer-records.ts';

export type Consultations = ReturnType<typeof createConsultations>;

/** Somebody who reconnects hears everybody for this long at most. */
const INTERVAL_MS = 500;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log'> {
  rooms: Rooms;
  sessions: Sessions;
  records: TransferRecords;
  /** Seconds after which the caller gets the agent back. */
  consultation_s: number;
}

/**
 * Consultations of attended transfers: the agent talks to the target, and the caller hears music. All are in one room;
 * the media server is told who hears whom, over and over: whoever reconnects hears everybody. What ends a consultation
 * is decided first, once, and recorded (`verdict`): whoever looks next carries it out.
 */
export function createConsultations({ db, clock, log, rooms, sessions, records, consultation_s }: Deps) {
  const { attend, stop, stopped } = createAttendance({ clock, log }, tend);
  const hearing = createHearing({ clock, log, rooms }, stopped);
  const { hear, join, separate } = hearing;

  /**
   * Does what a consultation needs now, and carries out its end if that is decided: there is no other way to an end.
   * False once it is over. `left_at`: when its target has left, if it has.
   */
  async function tend(session: Session, { id }: Pick<Transfer, 'id'>, left_at?: Date): Promise<boolean> {
    const transfer = await findTransferInProgress(db, session.id);
    if (transfer?.id !== id) {
      // It has ended while it was separated once more: nobody must stay apart.
      if (!transfer) await join(session);
      return false;
    }
    if (transfer.status !== 'connected') return true;
    const present = await rooms.listParticipants(session.room_name);
    const decided = transfer.verdict ? transfer : await decideBy(transfer, present);
    if (decided) return carryOut(session, decided, left_at);
    // The conductor decides about a target that is gone.
    if (present.some(isAgent)) await separate(session, transfer, present);
    const now = await findTransferInProgress(db, session.id);
    return now?.id === id && now.verdict === null ? true : tend(session, transfer);
  }

  /** Ends a consultation that takes too long, or whose agent was lost: caller and target are left to each other. */
  async function decideBy(transfer: Transfer, present: Participant[]): Promise<Transfer | undefined> {
    const since = (transfer.answered_at ?? transfer.updated_at).getTime();
    const isLate = clock.now().getTime() - since > consultation_s * 1000;
    if (isLate) return records.decide(transfer, { verdict: 'return', reason: 'max_duration' });
    const isThere = present.some(({ identity }) => identity === targetOf(transfer));
    if (present.some(isAgent) || !isThere || !hasCaller(present)) return undefined;
    return records.decide(transfer, { verdict: 'connect', reason: null });
  }

  async function carryOut(session: Session, transfer: Transfer, left_at?: Date): Promise<false> {
    if (transfer.verdict === 'return') await giveBack(session, transfer, left_at);
    else await connect(session, transfer, left_at);
    return false;
  }

  /** Connects caller and target, and has the agent leave; unless the target has gone: then the caller keeps it. */
  async function connect(session: Session, transfer: Transfer, left_at?: Date): Promise<void> {
    await join(session);
    const present = await hearing.untilListed(session, targetOf(transfer));
    if (!present) return failed(transfer, 'hangup', left_at);
    for (const { kind, identity } of present)
      if (kind === 'AGENT') await rooms.removeParticipant(session.room_name, identity);
    await records.completeAttended(transfer);
  }

  /**
   * Hangs up on the target: the caller has the agent again, from the beginning on. A target that cannot be removed now
   * is removed by whoever looks next; until then the caller must not hear it.
   */
  async function giveBack(session: Session, transfer: Transfer, left_at?: Date): Promise<void> {
    const { room_name } = session;
    await rooms
      .listParticipants(room_name)
      .then((present) => hear(session, present, 'ours'))
      .catch((err: unknown) => log.warn({ err, room_name }, 'a caller may be on hold although its agent is back'));
    await rooms.removeParticipant(room_name, targetOf(transfer));
    await join(session);
    await failed(transfer, transfer.reason ?? 'canceled', left_at);
  }

  function failed(transfer: Transfer, end_reason: string, at = clock.now()): Promise<void> {
    return records.fail(transfer, { end_reason, sip_status_code: null, at }, 'connected');
  }

  /**
   * Decides the end of a consultation, unless that was decided before, notes who did, and carries it out. Returns the
   * transfer as it is then: the end may be the other one.
   */
  async function end(
    session: Session,
    transfer: Transfer,
    ending: ConsultationEnd,
    note?: (trx: Db) => Promise<unknown>,
  ): Promise<Transfer | undefined> {
    await records.decide(transfer, ending, note);
    await tend(session, transfer);
    return findTransfer(db, transfer.id);
  }

  /** As above, for the conductor: who looks after the consultation, or the next round, tries again what fails. */
  async function endNow(transfer: Transfer, ending: ConsultationEnd, left_at?: Date): Promise<void> {
    await records.decide(transfer, ending);
    await tendNow(await sessions.get(transfer.session_id, null), transfer, left_at);
  }

  async function tendNow(session: Session, transfer: Transfer, left_at?: Date): Promise<void> {
    const about = { session_id: session.id };
    await tend(session, transfer, left_at).catch((err: unknown) =>
      log.warn({ err, ...about }, 'looking after a consultation failed'),
    );
  }

  /** Records for the conductor, when it sees that somebody of a transfer has left. */
  const conducted = {
    completeWarm: (transfer: Transfer): Promise<unknown> =>
      transfer.is_attended ? endNow(transfer, { verdict: 'connect', reason: null }) : records.completeWarm(transfer),
    fail: (...[transfer, why, from]: Parameters<TransferRecords['fail']>): Promise<void> =>
      transfer.is_attended && from === 'connected'
        ? endNow(transfer, { verdict: 'return', reason: why.end_reason }, why.at)
        : records.fail(transfer, why, from),
    tend: tendNow,
  };

  return { muffle: hearing.muffle, attend, separate, end, conducted, stop };
}

/** Looks after consultations again and again until they are over. After a restart the rounds of the conductor do. */
function createAttendance(
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
  tend: (session: Session, transfer: Transfer) => Promise<boolean>,
) {
  const stopping = new AbortController();
  const attended = new Set<Promise<void>>();

  async function untilOver(session: Session, transfer: Transfer): Promise<void> {
    const failures = createFailureLog(log, 'looking after a consultation');
    for (let isOn = true; isOn && !stopping.signal.aborted; ) {
      try {
        isOn = await tend(session, transfer);
        failures.succeeded();
      } catch (err) {
        failures.failed(err);
      }
      if (isOn) await clock.sleep(INTERVAL_MS, stopping.signal).catch(() => {});
    }
  }

  return {
    stopped: stopping.signal,
    attend(session: Session, transfer: Transfer): Promise<void> {
      const work = untilOver(session, transfer).finally(() => attended.delete(work));
      attended.add(work);
      return work;
    },
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(attended);
    },
  };
}
