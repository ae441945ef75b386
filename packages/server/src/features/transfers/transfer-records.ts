import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Callbacks } from '../callbacks/callbacks.ts';
import type { Leg, Line } from '../line/line.ts';
import { isFinal, type Session, type Sessions, type Transition } from '../sessions/sessions.ts';
import {
  endLines,
  findUnfinishedTransfers,
  markLateAnswer,
  moveTransfer,
  releasePhones,
  type Transfer,
} from './store.ts';

export type TransferRecords = ReturnType<typeof createTransferRecords>;

/** End reasons after which the target's phone may be connected: it continues to count as a call. */
const UNKNOWN_OUTCOMES = new Set(['interrupted', 'provider_timeout']);

interface Deps {
  db: Database['db'];
  clock: Clock;
  sessions: Sessions;
  callbacks: Callbacks;
  line: Line;
}

interface Failure {
  end_reason: string;
  sip_status_code: number | null;
}

/** Records the outcomes of transfers, queues their callbacks, and bills targets that leave before the call ends. */
export function createTransferRecords({ db, clock, sessions, callbacks, line }: Deps) {
  function announceTransferred(trx: Db, session: Session, transfer: Transfer): Promise<void> {
    const { transfer_type, phone_number: transferred_to } = transfer;
    return callbacks.enqueue(trx, 'call.transferred', session, { transfer_type, transferred_to });
  }

  /**
   * Records that the target of a warm transfer has answered; false if the call has ended, or the transfer has moved
   * on.
   */
  function connect(transfer: Transfer): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const { call_status } = await sessions.lock(trx, transfer.session_id);
      const now = clock.now();
      const change = { status: 'connected', answered_at: now, updated_at: now } as const;
      if (call_status !== 'ANSWERED' || !(await moveTransfer(trx, transfer.id, 'pending', change))) return false;
      const { session_id, phone_number: transferred_to, transfer_type } = transfer;
      const session = await sessions.markTransferred(trx, session_id, { transferred_to, transfer_type });
      await announceTransferred(trx, session, transfer);
      return true;
    });
  }

  /** The session is as it was before, whether the target had answered or not. */
  async function fail(transfer: Transfer, why: Failure, from: 'pending' | 'connected' = 'pending'): Promise<void> {
    const { end_reason: reason, sip_status_code } = why;
    await db.transaction().execute(async (trx) => {
      await sessions.lock(trx, transfer.session_id);
      if (!UNKNOWN_OUTCOMES.has(reason)) await releasePhones(trx, transfer.id);
      const now = clock.now();
      const change = { status: 'failed', reason, sip_status_code, updated_at: now } as const;
      const failed = await moveTransfer(trx, transfer.id, from, change);
      if (!failed) return;
      const nobody = { transferred_to: null, transfer_type: null };
      if (from === 'connected') await sessions.markTransferred(trx, transfer.session_id, nobody);
      const { transfer_type, phone_number: transferred_to } = transfer;
      const session = await sessions.get(transfer.session_id, null, trx);
      if (isOn(failed)) {
        await endLines(trx, [failed.id], now);
        await line.bill(trx, [targetLeg(failed, session, now)]);
      }
      await callbacks.enqueue(trx, 'call.transfer_failed', session, {
        transfer_type,
        transferred_to,
        reason,
        sip_status_code,
      });
    });
  }

  /** Completes a warm transfer whose target has answered; undefined if it is in another state. */
  function completeWarm(transfer: Transfer, within: Db = db): Promise<Transfer | undefined> {
    return moveTransfer(within, transfer.id, 'connected', { status: 'completed', updated_at: clock.now() });
  }

  /** Bills a target that answered after the call had ended: it was connected all the same. */
  async function answeredLate(transfer: Transfer): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const session = await sessions.lock(trx, transfer.session_id);
      const now = clock.now();
      if (!(await markLateAnswer(trx, transfer.id, now))) return;
      await line.bill(trx, [targetLeg({ ...transfer, answered_at: now }, session, now)]);
    });
  }

  return { announceTransferred, connect, fail, completeWarm, answeredLate };
}

/** Whether the target has answered, and its line has not been billed. */
function isOn({ answered_at, line_ended_at }: Transfer): boolean {
  return answered_at !== null && line_ended_at === null;
}

/** The line of a target that ends now. After a cold transfer it has just begun, and its end will not be known. */
function targetLeg({ transfer_type, phone_number, answered_at }: Transfer, session: Session, now: Date): Leg {
  const isWarm = transfer_type === 'WARM';
  const duration_ms = isWarm ? now.getTime() - (answered_at ?? now).getTime() : 0;
  return { session, direction: 'OUTBOUND', phone_number, duration_ms, was_in_room: isWarm };
}

/**
 * Ends the transfers of ended sessions, in their transaction: completed if the target has answered, failed otherwise.
 * Returns the lines of targets that end with them.
 */
export async function endTransfers(trx: Db, transitions: Transition[], updated_at: Date): Promise<Leg[]> {
  const ended = new Map(transitions.flatMap(({ after }) => (isFinal(after) ? [[after.id, after] as const] : [])));
  if (ended.size === 0) return [];
  const transfers = await findUnfinishedTransfers(trx, [...ended.keys()]);
  const on = transfers.filter(isOn);
  await endLines(
    trx,
    on.map(({ id }) => id),
    updated_at,
  );
  for (const transfer of transfers) {
    // A target in the room leaves with it. The target of a cold transfer may still be called.
    if (transfer.transfer_type === 'WARM') await releasePhones(trx, transfer.id);
    if (transfer.status === 'connected')
      await moveTransfer(trx, transfer.id, 'connected', { status: 'completed', updated_at });
    else if (transfer.status === 'pending')
      await moveTransfer(trx, transfer.id, 'pending', { status: 'failed', reason: 'call_ended', updated_at });
  }
  return on.flatMap((transfer) => {
    const session = ended.get(transfer.session_id);
    return session ? targetLeg(transfer, session, updated_at) : [];
  });
}
