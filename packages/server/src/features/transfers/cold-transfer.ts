import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/log.ts';
import type { Media, ReferOutcome } from '../../providers/media/media.ts';
import { failureReason } from '../dialling/dialling.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import { phoneOf } from './phones.ts';
import { moveTransfer, type Transfer } from './store.ts';
import type { TransferRecords } from './transfer-records.ts';

export type ColdTransfers = ReturnType<typeof createColdTransfers>;

interface Deps {
  clock: Clock;
  log: Logger;
  media: Media;
  sessions: Sessions;
  records: TransferRecords;
  /** Milliseconds for which the phones of a transfer count as calls: their hang-ups cannot be seen. */
  countedMs: number;
}

/** Transfers by SIP REFER: the phone is told to call the target itself, and leaves. */
export function createColdTransfers({ clock, log, media, sessions, records, countedMs }: Deps) {
  /** Throws `transfer_failed` when the far end refuses, `session_not_active` when the call has ended meanwhile. */
  async function refer(session: Session, transfer: Transfer): Promise<void> {
    const outcome = await askToRefer(session, transfer.phone_number);
    if (outcome.accepted) return complete(session, transfer);
    await records.fail(transfer, outcome);
    // The caller may have hung up meanwhile; during a transfer its departure is not handled elsewhere.
    if (!phoneOf(await media.listParticipants(session.room_name))) await sessions.end(session, 'hangup');
    const { call_status } = await sessions.get(session.id, null);
    throw new AppError(call_status === 'ANSWERED' ? 'transfer_failed' : 'session_not_active');
  }

  async function askToRefer(session: Session, phone_number: string): Promise<ReferOutcome> {
    try {
      const phone = phoneOf(await media.listParticipants(session.room_name));
      if (!phone) return { accepted: false, end_reason: 'media_lost', sip_status_code: null };
      return await media.refer(session.room_name, phone.identity, phone_number);
    } catch (err) {
      log.error({ err, session_id: session.id }, 'a transfer failed');
      return { accepted: false, end_reason: failureReason(err), sip_status_code: null };
    }
  }

  async function complete(session: Session, transfer: Transfer): Promise<void> {
    await sessions.transact(async (trx, apply) => {
      // The session is locked first, as in every code path that ends a call, to avoid deadlocks.
      const answered = await sessions.lock(trx, session.id);
      const now = clock.now();
      // The called phone goes on talking with the target: the carrier connects two phones.
      const phones = session.call_direction === 'OUTBOUND' ? 2 : 1;
      const change = {
        status: 'completed',
        answered_at: now,
        phones,
        counted_until: new Date(now.getTime() + countedMs),
        updated_at: now,
      } as const;
      if (!(await moveTransfer(trx, transfer.id, 'pending', change))) return;
      await records.announceTransferred(trx, answered, transfer);
      const { phone_number: transferred_to, transfer_type } = transfer;
      const columns = { transferred_to, transfer_type, transfer_timestamp: now };
      const signal = { kind: 'ended', at: now, end_reason: 'transferred' } as const;
      await apply([{ id: session.id, signal, columns }]);
    });
  }

  return { refer };
}
