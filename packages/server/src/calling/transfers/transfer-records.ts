import { isFinal, type Session, type Sessions, type Transition } from '../../conversations/sessions/sessions.ts';
import type { Db } from '../../db/tables.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import { callLeg, type Leg, type LineCharges } from '../../ledger/line-charges/line-charges.ts';
import { createLookup } from '../../lib/batcher.ts';
import type { Platform } from '../../platform.ts';
import {
  type ConsultationEnd,
  decideTransfer,
  endLine,
  findTransfersInProgress,
  findUnfinishedTransfers,
  listStaleTransfers,
  listTransfers,
  markLateAnswer,
  moveTransfer,
  releasePhones,
  type Transfer,
} from './store.ts';

export type TransferRecords = ReturnType<typeof createTransferRecords>;

/** End reasons after which the target's phone may be connected: it continues to count as a call. */
const UNKNOWN_OUTCOMES = new Set(['interrupted', 'provider_timeout']);
/** By then the process that dialled the target has recorded its answer, unless it has died. */
const STALE_AFTER_MS = 10_000;

interface Deps extends Pick<Platform, 'db' | 'clock'> {
  sessions: Sessions;
  callbacks: Callbacks;
  lineCharges: LineCharges;
}

interface Failure {
  end_reason: string;
  sip_status_code: number | null;
  /** When the target left, if it had answered; now by default. */
  at?: Date;
}

/** Records the outcomes of transfers, queues their callbacks, and bills targets that leave before the call ends. */
export function createTransferRecords({ db, clock, sessions, callbacks, lineCharges }: Deps) {
  const markAsTransferred = createMarking({ callbacks, markTransferred: sessions.markTransferred });

  /**
   * Records that the target of a warm transfer has answered at `answered_at`; false if the call has ended, or the
   * transfer has moved on. After an attended one has been answered, the call has not been transferred yet.
   */
  function connect(transfer: Transfer, answered_at: Date): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const { call_status } = await sessions.lock(trx, transfer.session_id);
      const change = { status: 'connected', answered_at, updated_at: clock.now() } as const;
      if (call_status !== 'ANSWERED' || !(await moveTransfer(trx, transfer.id, 'pending', change))) return false;
      if (!transfer.is_attended) await markAsTransferred(trx, transfer);
      else {
        const session = await sessions.get(transfer.session_id, null, trx);
        await callbacks.enqueue(trx, 'call.transfer_answered', session, fieldsOf(transfer));
      }
      return true;
    });
  }

  /** The session is as it was before the transfer, whether the target had answered or not. */
  async function fail(transfer: Transfer, why: Failure, from: 'pending' | 'connected' = 'pending'): Promise<void> {
    const { end_reason: reason, sip_status_code, at = clock.now() } = why;
    await db.transaction().execute(async (trx) => {
      await sessions.lock(trx, transfer.session_id);
      if (!UNKNOWN_OUTCOMES.has(reason)) await releasePhones(trx, transfer.id);
      const now = clock.now();
      const change = { status: 'failed', reason, sip_status_code, briefing: null, updated_at: now } as const;
      const failed = await moveTransfer(trx, transfer.id, from, change);
      if (!failed) return;
      if (from === 'connected' && !transfer.is_attended)
        await sessions.markTransferred(trx, transfer.session_id, await earlierOf(trx, transfer));
      const session = await sessions.get(transfer.session_id, null, trx);
      if (isOn(failed)) await endTargetLine(trx, failed, session, at);
      await callbacks.enqueue(trx, 'call.transfer_failed', session, {
        ...fieldsOf(transfer),
        reason,
        sip_status_code,
      });
    });
  }

  async function endTargetLine(trx: Db, transfer: Transfer, session: Session, at: Date): Promise<void> {
    await endLine(trx, transfer.id, at);
    await lineCharges.bill(trx, [targetLeg(transfer, session, at)]);
  }

  /** Bills a target that had answered and has left at `at`, whose phone counts no more. Others end with their call. */
  async function targetLeft(session_id: string, id: string, at: Date): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const session = await sessions.lock(trx, session_id);
      const transfer = (await listTransfers(trx, session_id)).find((one) => one.id === id);
      if (!transfer || !isOn(transfer)) return;
      await releasePhones(trx, id);
      await endTargetLine(trx, transfer, session, at);
    });
  }

  /** Completes a warm transfer whose target has answered; undefined if it is in another state. */
  function completeWarm(transfer: Transfer, within: Db = db): Promise<Transfer | undefined> {
    return moveTransfer(within, transfer.id, 'connected', { status: 'completed', updated_at: clock.now() });
  }

  /** Decides the end of a consultation, and notes who did; undefined if it is over, or was decided before. */
  function decide(
    { id, session_id }: Transfer,
    ending: ConsultationEnd,
    note: (trx: Db) => Promise<unknown> = async () => {},
  ): Promise<Transfer | undefined> {
    return db.transaction().execute(async (trx) => {
      await sessions.lock(trx, session_id);
      const decided = await decideTransfer(trx, id, ending);
      if (decided) await note(trx);
      return decided;
    });
  }

  /** Records that caller and target of an attended transfer are connected: only now was the call transferred. */
  async function completeAttended({ id, session_id }: Transfer): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await sessions.lock(trx, session_id);
      const change = { status: 'completed', briefing: null, updated_at: clock.now() } as const;
      const completed = await moveTransfer(trx, id, 'connected', change);
      if (completed) await markAsTransferred(trx, completed);
    });
  }

  /** Bills a target that answered after the call had ended: it was connected all the same. */
  async function answeredLate(transfer: Transfer): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const session = await sessions.lock(trx, transfer.session_id);
      const now = clock.now();
      if (!(await markLateAnswer(trx, transfer.id, now))) return;
      await lineCharges.bill(trx, [targetLeg({ ...transfer, answered_at: now }, session, now)]);
    });
  }

  /** The sessions with consultations, or with transfers pending for long: their process may have died. */
  async function listStale(): Promise<Set<string>> {
    const stale = await listStaleTransfers(db, new Date(clock.now().getTime() - STALE_AFTER_MS));
    return new Set(stale.map(({ session_id }) => session_id));
  }

  return {
    /** The transfer of a session that is in progress, if any. */
    inProgress: createLookupInProgress(db),
    listStale,
    announceTransferred: (trx: Db, session: Session, transfer: Transfer) =>
      callbacks.enqueue(trx, 'call.transferred', session, fieldsOf(transfer)),
    connect,
    fail,
    targetLeft,
    completeWarm,
    decide,
    completeAttended,
    answeredLate,
  };
}

function createLookupInProgress(db: Db) {
  return createLookup(
    (ids) => findTransfersInProgress(db, ids),
    ({ session_id }) => session_id,
  );
}

/** Records that calls were transferred, and queues their callbacks. */
function createMarking({ callbacks, markTransferred }: Pick<LineEndDeps, 'callbacks' | 'markTransferred'>) {
  return async (trx: Db, transfer: Transfer): Promise<void> => {
    const { session_id, phone_number: transferred_to, transfer_type } = transfer;
    const session = await markTransferred(trx, session_id, { transferred_to, transfer_type });
    await callbacks.enqueue(trx, 'call.transferred', session, fieldsOf(transfer));
  };
}

/** Fields of a session whose transfer has failed: those of the transfer before it, or none. */
async function earlierOf(trx: Db, { session_id }: Transfer) {
  const earlier = (await listTransfers(trx, session_id)).findLast(({ status }) => status === 'completed');
  if (!earlier) return { transferred_to: null, transfer_type: null };
  const { phone_number: transferred_to, transfer_type, is_attended, answered_at, updated_at } = earlier;
  // The caller talked with the target from its answer on, or once its consultation had ended.
  return { transferred_to, transfer_type, transfer_timestamp: is_attended ? updated_at : answered_at };
}

/** The transfer in a callback. */
function fieldsOf({ transfer_type, phone_number: transferred_to, is_fallback, is_attended }: Transfer) {
  return {
    transfer_type,
    transferred_to,
    ...(is_fallback && { fallback: true as const }),
    ...(is_attended && { attended: true as const }),
  };
}

/** Whether the target has answered, and its line has not been billed. */
function isOn({ answered_at, line_ended_at }: Transfer): boolean {
  return answered_at !== null && line_ended_at === null;
}

/** The line of a target that ends. After a cold transfer it has just begun, and its end will not be known. */
function targetLeg({ transfer_type, phone_number, answered_at }: Transfer, session: Session, at: Date): Leg {
  const isWarm = transfer_type === 'WARM';
  const duration_ms = isWarm ? Math.max(0, at.getTime() - (answered_at ?? at).getTime()) : 0;
  return { session, direction: 'OUTBOUND', phone_number, duration_ms, was_in_room: isWarm };
}

interface LineEndDeps extends Pick<Deps, 'clock' | 'lineCharges' | 'callbacks'> {
  markTransferred: Sessions['markTransferred'];
}

/** Ends the lines of calls that end, and their transfers, in the same transaction. */
export function createLineEnds({ clock, lineCharges, callbacks, markTransferred }: LineEndDeps) {
  const markAsTransferred = createMarking({ callbacks, markTransferred });
  return async (trx: Db, transitions: Transition[]): Promise<void> => {
    const ended = transitions.filter(({ before, after }) => before.call_status !== null && isFinal(after));
    // Only an answered call has lines to bill. A transfer may have begun in one that rings: to the fallback number.
    const over = ended.filter(({ before }) => before.call_status === 'ANSWERED');
    const left = ended.filter(({ before }) => before.call_status === 'RINGING' && before.call_direction === 'INBOUND');
    if (over.length + left.length === 0) return;
    const targets = await endTransfers(trx, [...over, ...left], clock.now(), markAsTransferred);
    if (over.length > 0) await lineCharges.bill(trx, [...over.map(callLeg), ...targets]);
  };
}

/**
 * Ends the transfers of calls: completed if the target has answered, failed otherwise. Returns the lines of targets
 * that end with them.
 */
async function endTransfers(
  trx: Db,
  over: Transition[],
  updated_at: Date,
  markAsTransferred: (trx: Db, transfer: Transfer) => Promise<void>,
): Promise<Leg[]> {
  const ended = new Map(over.map((one) => [one.after.id, one]));
  const transfers = await findUnfinishedTransfers(trx, [...ended.keys()]);
  const on = transfers.filter(isOn);
  const endOf = ({ session_id }: Transfer) => ended.get(session_id)?.at ?? updated_at;
  for (const transfer of on) await endLine(trx, transfer.id, endOf(transfer));
  for (const transfer of transfers) {
    // A target in the room leaves with it. The target of a cold transfer may still be called.
    if (transfer.transfer_type === 'WARM') await releasePhones(trx, transfer.id);
    const { status } = transfer;
    // During a consultation the caller has not talked to the target.
    if (status === 'connected' && (!transfer.is_attended || transfer.verdict === 'connect')) {
      const completed = { status: 'completed', briefing: null, updated_at } as const;
      const moved = await moveTransfer(trx, transfer.id, status, completed);
      // Its target was connected, although the call has ended before that was recorded.
      if (moved?.is_attended) await markAsTransferred(trx, moved);
    } else if (status === 'pending' || status === 'connected')
      await moveTransfer(trx, transfer.id, status, {
        status: 'failed',
        reason: transfer.reason ?? 'call_ended',
        briefing: null,
        updated_at,
      });
  }
  return on.flatMap((transfer) => {
    const session = ended.get(transfer.session_id)?.after;
    return session ? targetLeg(transfer, session, endOf(transfer)) : [];
  });
}
