import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Limits } from '../dialling/limits.ts';
import { countTransfers, type Transfer } from './store.ts';

export type CountTransfer = ReturnType<typeof createTransferLimits>;

interface Deps {
  clock: Clock;
  limits: Limits;
  transfers_per_call: number;
  /** The call's own phone and the targets of its warm transfers. */
  phones_per_call: number;
}

/** Limits on how often one call may be transferred, and to how many phones at once. */
export function createTransferLimits({ clock, limits, transfers_per_call, phones_per_call }: Deps) {
  /**
   * Counts the phone that a transfer dials as a call of the session's user. The caller holds the session's lock,
   * which serializes the transfers of one call. Throws `too_many_transfers`, `too_many_phones`, or `too_many_calls`.
   */
  return async function countTransfer(
    trx: Db,
    { session_id, user_id, transfer_type }: Pick<Transfer, 'session_id' | 'transfer_type'> & { user_id: string },
  ): Promise<void> {
    const { attempts, targets } = await countTransfers(trx, session_id, clock.now());
    if (attempts >= transfers_per_call) throw new AppError('too_many_transfers');
    if (transfer_type === 'WARM' && 1 + targets >= phones_per_call) throw new AppError('too_many_phones');
    const refusal = await limits.countTransfer(trx, user_id);
    if (refusal) throw refusal;
  };
}
