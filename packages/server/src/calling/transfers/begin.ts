import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Db, TransferType } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { type DialAttempt, transferAttempt } from '../outbound/dial-attempts.ts';
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

/** A transfer as it was asked for. */
export interface Asked {
  phone_number: string;
  transfer_type: TransferType;
  /** Whether no worker has taken the call. */
  is_fallback?: boolean;
  /** Whether the agent talks to the target first, which `briefing` is for. */
  is_attended?: boolean;
  briefing?: string | null;
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
  async function countPhone(trx: Db, { transfer_type, is_fallback }: Asked, attempt: DialAttempt) {
    const { call_id: id } = attempt;
    const { attempts, targets } = await countTransfers(trx, id, clock.now());
    // The fallback number is dialled once for a call.
    if (attempts >= (is_fallback ? 1 : transfers_per_call)) throw new AppError('too_many_transfers');
    if (transfer_type === 'WARM' && 1 + targets >= phones_per_call) throw new AppError('too_many_phones');
    return limits.countTransfer(trx, attempt);
  }

  function withoutSecrets({ privacy }: Session, asked: Asked): Asked {
    if (!asked.briefing) return asked;
    return { ...asked, briefing: sessions.redactions.reported(privacy, asked.briefing) };
  }

  function pending({ id: session_id, user_id }: Session, asked: Asked) {
    const now = clock.now();
    const counted_until = new Date(now.getTime() + countedMs[asked.transfer_type]);
    const times = { created_at: now, updated_at: now, counted_until };
    return {
      id: newId(),
      session_id,
      user_id,
      ...asked,
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
  return async function begin(session: Session, asked: Asked, actor: Actor) {
    const { transfer_type, is_fallback = false, is_attended = false } = asked;
    const attempt = transferAttempt(session, asked.phone_number, await hashes());
    const begun = await db.transaction().execute(async (trx): Promise<Transfer | AppError> => {
      const { call_status } = await sessions.lock(trx, session.id);
      if (call_status !== (is_fallback ? 'RINGING' : 'ANSWERED')) throw new AppError('session_not_active');
      // Checked first, so that a refused repetition does not use up the user's limits.
      if (await findTransferInProgress(trx, session.id)) throw new AppError('transfer_in_progress');
      // Returned, so that what was decided is committed.
      const refusal = await countPhone(trx, asked, attempt);
      if (refusal) return refusal;
      const transfer = await insertTransfer(trx, pending(session, withoutSecrets(session, asked)));
      await audit.record(trx, actor, 'transfer.started', `session/${session.id}`, {
        detail: is_fallback ? 'fallback' : is_attended ? 'attended' : transfer_type,
        user_id: session.user_id,
      });
      return transfer;
    });
    if (begun instanceof AppError) throw begun;
    return begun;
  };
}
