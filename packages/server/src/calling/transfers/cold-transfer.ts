import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import { AppError } from '../../lib/errors.ts';
import { errorCode } from '../../lib/network-trouble.ts';
import type { Platform } from '../../platform.ts';
import type { Phones, ReferOutcome } from '../../providers/phones.ts';
import { failureReason, ProviderError } from '../../providers/provider-error.ts';
import type { Rooms } from '../../providers/rooms.ts';
import type { Conductor } from '../conductor/conductor.ts';
import { phoneOf } from '../conductor/parties.ts';
import { recordOutcome } from '../outbound/ring.ts';
import { hasAnswered, moveTransfer, type Transfer } from './store.ts';
import type { TransferRecords } from './transfer-records.ts';

export type ColdTransfers = ReturnType<typeof createColdTransfers>;

/** The bridge answers half a minute after the end of a call whose phone has not accepted the REFER yet. */
const POLL_INTERVAL_MS = 500;
/** The target may ring as long; and a room that cannot be read for this long says nothing. */
const [REFER_MS, UNREADABLE_MS] = [32_000, 5_000];
/** Errors of a request that has not left this machine. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

interface Deps extends Pick<Platform, 'clock' | 'log'> {
  rooms: Rooms;
  phones: Phones;
  sessions: Sessions;
  conductor: Conductor;
  records: TransferRecords;
  /** Milliseconds for which the phones of a transfer count as calls: their hang-ups cannot be seen. */
  countedMs: number;
}

/** Transfers by SIP REFER: the phone is told to call the target itself, and leaves. */
export function createColdTransfers({ clock, log, rooms, phones, sessions, conductor, records, countedMs }: Deps) {
  /** Throws `transfer_failed` when the far end refuses, `session_not_active` when the call has ended meanwhile. */
  async function refer(session: Session, transfer: Transfer): Promise<void> {
    const settled = new AbortController();
    const asked = askToRefer(session, transfer.phone_number, settled.signal);
    const outcome = await Promise.race([asked, untilOver(session.id, settled.signal)]);
    settled.abort();
    if (!outcome) throw new AppError('session_not_active');
    const at = clock.now();
    // A phone that has accepted is gone, and nothing else shows that it has not hung up.
    const record = <T>(write: () => Promise<T>) => recordOutcome({ clock, log }, session.id, write);
    if (outcome.accepted) {
      // The bridge also reports a success when the call has ended first, whatever becomes of the target.
      if (await record(() => complete(session, transfer, at))) return;
      throw new AppError('session_not_active');
    }
    await record(() => records.fail(transfer, outcome));
    // The caller may have hung up meanwhile; during a transfer its departure is not handled elsewhere.
    await conductor.look(session, { kind: 'transfer_failed', transfer_type: 'COLD' });
    const { call_status } = await sessions.get(session.id, null);
    throw new AppError(call_status === 'ANSWERED' ? 'transfer_failed' : 'session_not_active');
  }

  /** Resolves when the call has ended, or `signal` has fired. */
  async function untilOver(session_id: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(POLL_INTERVAL_MS, signal).catch(() => {});
      const session = await sessions.get(session_id, null).catch(() => null);
      if (session && session.call_status !== 'ANSWERED') return;
    }
  }

  async function askToRefer(session: Session, phone_number: string, signal: AbortSignal): Promise<ReferOutcome> {
    const until = performance.now() + REFER_MS;
    try {
      const phone = phoneOf(await rooms.listParticipants(session.room_name));
      if (!phone) return { accepted: false, end_reason: 'media_lost', sip_status_code: null };
      const asked = phones.refer(session.room_name, phone.identity, phone_number);
      return await asked.catch(async (error) => {
        if (isAnswerLost(error) && (await leaves(session.room_name, until, signal))) return { accepted: true };
        throw error;
      });
    } catch (err) {
      log.error({ err, session_id: session.id }, 'a transfer failed');
      return { accepted: false, end_reason: failureReason(err), sip_status_code: null };
    }
  }

  /** Whether the phone leaves the room until then: it has followed a REFER whose answer was lost. */
  async function leaves(room_name: string, until: number, signal: AbortSignal): Promise<boolean> {
    let failing: number | null = null;
    while (!signal.aborted) {
      const people = await rooms.listParticipants(room_name).catch(() => null);
      // Nobody is in a room that its server has lost, either.
      if (people && !phoneOf(people) && (await rooms.isHosted(room_name).catch(() => false))) return true;
      const now = performance.now();
      failing = people ? null : (failing ?? now);
      if (now >= until || (failing !== null && now >= failing + UNREADABLE_MS)) return false;
      await clock.sleep(POLL_INTERVAL_MS, signal).catch(() => {});
    }
    return false;
  }

  /** Ends the call as of `now`. False if it has ended meanwhile, and its transfer with it. */
  async function complete(session: Session, transfer: Transfer, now: Date): Promise<boolean> {
    return sessions.transact(async (trx, apply) => {
      // The session is locked first, as in every code path that ends a call, to avoid deadlocks.
      const answered = await sessions.lock(trx, session.id);
      // The called phone goes on talking with the target: the carrier connects two phones.
      const phones = session.call_direction === 'OUTBOUND' ? 2 : 1;
      const change = {
        status: 'completed',
        answered_at: now,
        phones,
        counted_until: new Date(now.getTime() + countedMs),
        updated_at: now,
      } as const;
      // An earlier attempt may have succeeded, although its response was lost.
      if (!(await moveTransfer(trx, transfer.id, 'pending', change))) return hasAnswered(trx, transfer);
      await records.announceTransferred(trx, answered, transfer);
      const { phone_number: transferred_to, transfer_type } = transfer;
      const columns = { transferred_to, transfer_type, transfer_timestamp: now };
      const signal = { kind: 'ended', at: now, end_reason: 'transferred' } as const;
      await apply([{ id: session.id, signal, columns }]);
      return true;
    });
  }

  return { refer };
}

/**
 * Whether the phone may be on its way, although nobody says so: the connection broke, or that of a proxy to the media
 * server. Any other answer is that of somebody who has not passed it on, and after a timeout the target has rung out.
 */
function isAnswerLost(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  const { code, provider_code, cause } = error;
  if (code !== 'provider_unavailable') return false;
  return provider_code === null ? !UNSENT.has(errorCode(cause) ?? '') : /^50[24]$/.test(provider_code);
}
