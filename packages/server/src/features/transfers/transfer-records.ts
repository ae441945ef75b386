import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Callbacks } from '../callbacks/callbacks.ts';
import { isFinal, type Session, type Sessions, type Transition } from '../sessions/sessions.ts';
import { findUnfinishedTransfers, moveTransfer, releasePhones, type Transfer } from './store.ts';

export type TransferRecords = ReturnType<typeof createTransferRecords>;

/** After these the target's phone may be connected: it goes on counting as a call. */
const UNKNOWN_OUTCOMES = new Set(['interrupted', 'provider_timeout']);

interface Deps {
  db: Database['db'];
  clock: Clock;
  sessions: Sessions;
  callbacks: Callbacks;
}

interface Failure {
  end_reason: string;
  sip_status_code: number | null;
}

/** Records the outcomes of transfers, and queues their callbacks. */
export function createTransferRecords({ db, clock, sessions, callbacks }: Deps) {
  function announceTransferred(trx: Db, session: Session, transfer: Transfer): Promise<void> {
    const { transfer_type, phone_number: transferred_to } = transfer;
    return callbacks.enqueue(trx, 'call.transferred', session, { transfer_type, transferred_to });
  }

  /** The target of a warm transfer has answered; false when the call has ended, or the transfer is past that. */
  function connect(transfer: Transfer): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const { call_status } = await sessions.lock(trx, transfer.session_id);
      const change = { status: 'connected', updated_at: clock.now() } as const;
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
      const failed = await moveTransfer(trx, transfer.id, from, {
        status: 'failed',
        reason,
        sip_status_code,
        updated_at: clock.now(),
      });
      if (!failed) return;
      const nobody = { transferred_to: null, transfer_type: null };
      if (from === 'connected') await sessions.markTransferred(trx, transfer.session_id, nobody);
      const { transfer_type, phone_number: transferred_to } = transfer;
      const session = await sessions.get(transfer.session_id, null, trx);
      await callbacks.enqueue(trx, 'call.transfer_failed', session, {
        transfer_type,
        transferred_to,
        reason,
        sip_status_code,
      });
    });
  }

  /** Marks a warm transfer whose target has answered as completed; undefined when it is not at that point. */
  function completeWarm(transfer: Transfer, within: Db = db): Promise<Transfer | undefined> {
    return moveTransfer(within, transfer.id, 'connected', { status: 'completed', updated_at: clock.now() });
  }

  return { announceTransferred, connect, fail, completeWarm };
}

/**
 * Ends the transfers of sessions with them, in their transaction: one whose target has come was completed, others came
 * to nothing.
 */
export async function endTransfers(trx: Db, transitions: Transition[], updated_at: Date): Promise<void> {
  const ended = transitions.filter(({ after }) => isFinal(after));
  if (ended.length === 0) return;
  for (const transfer of await findUnfinishedTransfers(
    trx,
    ended.map(({ after }) => after.id),
  )) {
    // A target in the room goes with it. One that the phone was referred to may be rung all the same.
    if (transfer.transfer_type === 'WARM') await releasePhones(trx, transfer.id);
    if (transfer.status === 'connected')
      await moveTransfer(trx, transfer.id, 'connected', { status: 'completed', updated_at });
    else if (transfer.status === 'pending')
      await moveTransfer(trx, transfer.id, 'pending', { status: 'failed', reason: 'call_ended', updated_at });
  }
}
