import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Db, TransferType } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Limits } from '../outbound/limits.ts';
import { countTransfers, findTransferInProgress, insertTransfer, type Transfer } from './store.ts';

export type BeginTransfer = ReturnType<typeof createBeginTransfer>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit'> {
  sessions: Sessions;
  limits: Limits;
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
  const { db, clock, audit, sessions, limits, transfers_per_call, phones_per_call, countedMs } = deps;

  /**
   * Counts the phone that a transfer dials as a call of the session's user. The session's lock serializes the
   * transfers of one call.
   */
  async function countPhone(trx: Db, { id, user_id }: Session, transfer_type: TransferType): Promise<void> {
    const { attempts, targets } = await countTransfers(trx, id, clock.now());
    if (attempts >= transfers_per_call) throw new AppError('too_many_transfers');
    if (transfer_type === 'WARM' && 1 + targets >= phones_per_call) throw new AppError('too_many_phones');
    const refusal = await limits.countTransfer(trx, user_id);
    if (refusal) throw refusal;
  }

  /**
   * The session is locked: a call that ends at this moment is either not transferred, or ends its transfer. Throws
   * `session_not_active`, `transfer_in_progress`, `too_many_transfers`, `too_many_phones` or `too_many_calls`.
   */
  return function begin(session: Session, phone_number: string, transfer_type: TransferType, actor: Actor) {
    return db.transaction().execute(async (trx): Promise<Transfer> => {
      if ((await sessions.lock(trx, session.id)).call_status !== 'ANSWERED') throw new AppError('session_not_active');
      // Checked first, so that a refused repetition does not use up the user's limits.
      if (await findTransferInProgress(trx, session.id)) throw new AppError('transfer_in_progress');
      await countPhone(trx, session, transfer_type);
      const about = { session_id: session.id, user_id: session.user_id, transfer_type, phone_number };
      const now = clock.now();
      const transfer = await insertTransfer(trx, {
        id: newId(),
        ...about,
        status: 'pending',
        created_at: now,
        updated_at: now,
        phones: 1,
        counted_until: new Date(now.getTime() + countedMs[transfer_type]),
      });
      await audit.record(trx, actor, 'transfer.started', `session/${session.id}`, {
        detail: transfer_type,
        user_id: session.user_id,
      });
      return transfer;
    });
  };
}
