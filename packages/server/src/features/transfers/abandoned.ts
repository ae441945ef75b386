import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { throwAll } from '../../lib/failure-log.ts';
import type { Media } from '../../providers/media/media.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { targetOf } from './phones.ts';
import { listStaleTransfers, type Transfer } from './store.ts';
import type { TransferRecords } from './transfer-records.ts';

/** Longer than any transfer takes: older ones belong to no living request. */
const ABANDONED_AFTER_MS = 120_000;
/** By then the process that dialed the target has recorded its answer, unless it has died. */
const FOLLOWED_AFTER_MS = 10_000;

interface Deps {
  db: Db;
  clock: Clock;
  media: Media;
  sessions: Sessions;
  records: TransferRecords;
  endIfAlone: (session_id: string) => Promise<void>;
}

/**
 * Settles transfers whose process may have died. For a warm one the target's own phone shows whether it has answered;
 * for a cold one the outcome is unknown, so it counts as failed.
 */
export function createSettleAbandoned({ db, clock, media, sessions, records, endIfAlone }: Deps) {
  async function isTalking(transfer: Transfer): Promise<boolean> {
    const { room_name } = await sessions.get(transfer.session_id, null);
    const present = await media.listParticipants(room_name);
    return present.some(({ identity, phone }) => identity === targetOf(transfer) && phone?.state === 'active');
  }

  async function settle(transfer: Transfer, now: number): Promise<void> {
    if (transfer.transfer_type === 'WARM' && (await isTalking(transfer))) await records.connect(transfer);
    else if (now - transfer.updated_at.getTime() > ABANDONED_AFTER_MS) {
      await records.fail(transfer, { end_reason: 'interrupted', sip_status_code: null });
      if (transfer.transfer_type === 'WARM') await endIfAlone(transfer.session_id);
    }
  }

  return async function settleAbandoned(): Promise<void> {
    const now = clock.now().getTime();
    // A room without a living server must not block the others: its failure is thrown at the end.
    const failures: unknown[] = [];
    for (const transfer of await listStaleTransfers(db, new Date(now - FOLLOWED_AFTER_MS)))
      await settle(transfer, now).catch((err: unknown) => failures.push(err));
    throwAll(failures);
  };
}
