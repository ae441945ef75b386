import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Db, TransferType } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { type DialAttempt, transferAttempt } from '../outbound/deciding.ts';
import type { Limits } from '../outbound/limits.ts';
import type { NumberHashes } from '../suppressions/suppressions.ts';
import { countTransfers, findTransferInProgress, insertTransfer, type Transfer } from './store.ts';

export type BeginTransfer = ReturnType<typeof createBeginTransfer>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit'> {
  sessions: Sessions;
  limits: Limits;
  hashes: NumberHashes;
  transfers_per_call: number;
  /** The call's own phone and the targets of its warm transfers. */
  phones_per_call: number;
  /** Milliseconds for which the phones of a transfer count as calls if no hang-up is seen. */
  countedMs: Record<TransferType, number>;
}

/**
 * Records transfers within the limits, before the provider is called, so that the phone's departure is not taken for a
 * hang-up.
 */
export function createBeginTransfer(deps: Deps) {
  const { db, clock, audit, sessions, limits, hashes, transfers_per_call, phones_per_call, countedMs } = deps;

  /**
   * Counts the phone that a transfer dials as a call of the session's user. The session's lock serializes the
   * transfers of one call.
   */
  async function countPhone(trx: Db, transfer_type: TransferType, attempt: DialAttempt) {
    const { call_id: id } = attempt;
    const { attempts, targets } = await countTransfers(trx, id, clock.now());
    if (attempts >= transfers_per_call) throw new AppError('too_many_transfers');
    if (transfer_type === 'WARM' && 1 + targets >= phones_per_call) throw new AppError('too_many_phones');
    return limits.countTransfer(trx, attempt);
  }

  function pending({ id: session_id, user_id }: Session, phone_number: string, transfer_type: TransferType) {
    const now = clock.now();
    const counted_until = new Date(now.getTime() + countedMs[transfer_type]);
    const times = { created_at: now, updated_at: now, counted_until };
    return {
      id: newId(),
      session_id,
      user_id,
      transfer_type,
      phone_number,
      status: 'pending' as const,
      phones: 1,
      ...times,
    };
  }

  /**
   * The session is locked: a call that ends at this moment is either not transferred, or ends its transfer. Throws
   * `session_not_active`, `transfer_in_progress`, `too_many_transfers`, `too_many_phones`, `too_many_calls` or
   * `dial_denied`.
   */
  return async function begin(session: Session, phone_number: string, transfer_type: TransferType, actor: Actor) {
    const attempt = transferAttempt(session, phone_number, await hashes());
    const begun = await db.transaction().execute(async (trx): Promise<Transfer | AppError> => {
      if ((await sessions.lock(trx, session.id)).call_status !== 'ANSWERED') throw new AppError('session_not_active');
      // Checked first, so that a refused repetition does not use up the user's limits.
      if (await findTransferInProgress(trx, session.id)) throw new AppError('transfer_in_progress');
      // Returned, so that what was decided is committed.
      const refusal = await countPhone(trx, transfer_type, attempt);
      if (refusal) return refusal;
      const transfer = await insertTransfer(trx, pending(session, phone_number, transfer_type));
      await audit.record(trx, actor, 'transfer.started', `session/${session.id}`, {
        detail: transfer_type,
        user_id: session.user_id,
      });
      return transfer;
    });
    if (begun instanceof AppError) throw begun;
    return begun;
  };
}
