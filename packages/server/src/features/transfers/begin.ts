import type { Database } from '../../db/database.ts';
import type { TransferType } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Audit } from '../audit/audit.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import type { CountTransfer } from './limits.ts';
import { findTransferInProgress, insertTransfer, type Transfer } from './store.ts';

export type BeginTransfer = ReturnType<typeof createBeginTransfer>;

interface Deps {
  db: Database['db'];
  clock: Clock;
  audit: Audit;
  sessions: Sessions;
  countTransfer: CountTransfer;
  /** Milliseconds for which the phones of a transfer count as calls if no hang-up is seen. */
  countedMs: Record<TransferType, number>;
}

/** Records a transfer before the provider is called, so that the phone's departure is not taken for a hang-up. */
export function createBeginTransfer({ db, clock, audit, sessions, countTransfer, countedMs }: Deps) {
  // The session is locked: a call that ends at this moment is either not transferred, or ends its transfer.
  return function begin(session: Session, phone_number: string, transfer_type: TransferType, actor: Actor) {
    return db.transaction().execute(async (trx): Promise<Transfer> => {
      if ((await sessions.lock(trx, session.id)).call_status !== 'ANSWERED') throw new AppError('session_not_active');
      // Checked first, so that a refused repetition does not use up the user's limits.
      if (await findTransferInProgress(trx, session.id)) throw new AppError('transfer_in_progress');
      const about = { session_id: session.id, user_id: session.user_id, transfer_type, phone_number };
      await countTransfer(trx, about);
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
      await audit.record(trx, actor, 'transfer.started', `session/${session.id}`, transfer_type);
      return transfer;
    });
  };
}
