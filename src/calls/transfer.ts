import type { Agents } from '../agents/agents.ts';
import type { Audit } from '../audit/audit.ts';
import type { Callbacks } from '../callbacks/callbacks.ts';
import type { Database } from '../db/database.ts';
import type { TransferType } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { isObject } from '../lib/json.ts';
import type { Logger } from '../lib/log.ts';
import type { Actor } from '../lib/principal.ts';
import type { Media, ReferOutcome } from '../providers/media/media.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import { assertCallable, type CallingPolicy } from './destinations.ts';
import { type Dialling, failureReason } from './dialling.ts';
import type { Limits } from './limits.ts';
import {
  deleteTransfersOf,
  findTransferUnderWay,
  insertTransfer,
  listStaleTransfers,
  moveTransfer,
  type Transfer,
} from './store.ts';
import { createTransferRecords, isTarget, targetOf } from './transfer-records.ts';
import { createWarmTransfers } from './warm-transfer.ts';

export type Transfers = ReturnType<typeof createTransfers>;

/** Longer than any transfer asks, so that what is older belongs to no living request. */
const ABANDONED_AFTER_MS = 120_000;
/** By then a target that has answered is known to have, unless the process that dialled it has died. */
const FOLLOWED_AFTER_MS = 10_000;

interface Deps {
  db: Database['db'];
  clock: Clock;
  log: Logger;
  media: Media;
  agents: Agents;
  sessions: Sessions;
  callbacks: Callbacks;
  dialling: Dialling;
  policy: CallingPolicy;
  limits: Limits;
  /** How long the phones of a transfer count as calls if nothing tells that they have hung up, milliseconds. */
  countedMs: Record<TransferType, number>;
  defaultType: TransferType;
  audit: Audit;
}

/** Moves an answered call to another phone: cold by SIP REFER, warm by dialling the target into the same room. */
export function createTransfers({
  db,
  clock,
  log,
  media,
  agents,
  sessions,
  callbacks,
  dialling,
  policy,
  limits,
  countedMs,
  defaultType,
  audit,
}: Deps) {
  const records = createTransferRecords({ db, clock, sessions, callbacks });
  const warm = createWarmTransfers({ db, log, media, sessions, dialling, records, audit });

  /**
   * Throws `session_not_active`, `transfer_in_progress`, what `countTransfer` throws, or `transfer_failed` when a cold
   * one is not accepted.
   */
  async function start(
    id: string,
    input: { phone_number: string; type?: TransferType | null | undefined },
    caller: string | null,
    actor: Actor,
  ) {
    const session = await sessions.get(id, caller);
    assertCallable(input.phone_number, policy);
    if (session.call_status !== 'ANSWERED') throw new AppError('session_not_active');
    const transfer = await begin(session, input.phone_number, input.type ?? (await typeOf(session)), actor);
    if (transfer.transfer_type === 'COLD') await refer(session, transfer);
    else warm.dial(session, transfer);
    return transfer;
  }

  async function typeOf(session: Session): Promise<TransferType> {
    const agent = session.agent_id ? await agents.get(session.agent_id, null).catch(() => null) : null;
    const settings = agent?.config.transfer;
    const type = isObject(settings) ? settings.type : undefined;
    return type === 'COLD' || type === 'WARM' ? type : defaultType;
  }

  // Written before anything is asked of the provider: the phone leaving must not read as a hang-up. The session is
  // locked, so that a call which ends at this moment is either not transferred, or ends its transfer.
  function begin(session: Session, phone_number: string, transfer_type: TransferType, actor: Actor): Promise<Transfer> {
    return db.transaction().execute(async (trx) => {
      if ((await sessions.lock(trx, session.id)).call_status !== 'ANSWERED') throw new AppError('session_not_active');
      // Asked first, so that a refused repetition spends nothing of what the user may dial.
      if (await findTransferUnderWay(trx, session.id)) throw new AppError('transfer_in_progress');
      const about = { session_id: session.id, user_id: session.user_id, transfer_type, phone_number };
      await limits.countTransfer(trx, about);
      const now = clock.now();
      const transfer = await insertTransfer(trx, {
        ...{ id: newId(), ...about, status: 'pending', created_at: now, updated_at: now },
        ...{ phones: 1, counted_until: countedUntil(transfer_type, now) },
      });
      await audit.record(trx, actor, 'transfer.started', `session/${session.id}`, transfer_type);
      return transfer;
    });
  }

  function countedUntil(transfer_type: TransferType, now: Date): Date {
    return new Date(now.getTime() + countedMs[transfer_type]);
  }

  async function refer(session: Session, transfer: Transfer): Promise<void> {
    const outcome = await askToRefer(session, transfer.phone_number);
    if (outcome.accepted) return completeCold(session, transfer);
    await records.fail(transfer, outcome);
    // The caller may have hung up meanwhile; its leaving was kept for us to judge.
    if (!(await phoneOf(session))) await sessions.end(session, 'hangup');
    const { call_status } = await sessions.get(session.id, null);
    throw new AppError(call_status === 'ANSWERED' ? 'transfer_failed' : 'session_not_active');
  }

  async function askToRefer(session: Session, phone_number: string): Promise<ReferOutcome> {
    try {
      const phone = await phoneOf(session);
      if (!phone) return { accepted: false, end_reason: 'media_lost', sip_status_code: null };
      return await media.refer(session.room_name, phone.identity, phone_number);
    } catch (err) {
      log.error({ err, session_id: session.id }, 'a transfer failed');
      return { accepted: false, end_reason: failureReason(err), sip_status_code: null };
    }
  }

  /** The participant that is the call's own phone, if it is still there. */
  async function phoneOf(session: Session) {
    const participants = await media.listParticipants(session.room_name);
    return participants.find(({ kind, identity }) => kind === 'SIP' && !isTarget(identity));
  }

  async function completeCold(session: Session, transfer: Transfer): Promise<void> {
    await sessions.transact(async (trx, apply) => {
      // The session is locked first, as by everybody who ends a call: the other way round two would wait for one
      // another.
      const answered = await sessions.lock(trx, session.id);
      const now = clock.now();
      // A phone that was called talks on with the target: the carrier has two phones connected.
      const phones = session.call_direction === 'OUTBOUND' ? 2 : 1;
      const change = {
        status: 'completed',
        phones,
        counted_until: countedUntil('COLD', now),
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

  /**
   * Brings transfers in step whose process may have died. Of a warm one the target's own phone tells whether it has
   * answered; of a cold one nobody can tell any more, so it is not called a success.
   */
  async function settleAbandoned(): Promise<void> {
    const now = clock.now().getTime();
    for (const transfer of await listStaleTransfers(db, new Date(now - FOLLOWED_AFTER_MS))) {
      if (transfer.transfer_type === 'WARM' && (await isTalking(transfer))) await records.connect(transfer);
      else if (now - transfer.updated_at.getTime() > ABANDONED_AFTER_MS)
        await records.fail(transfer, { end_reason: 'interrupted', sip_status_code: null });
    }
  }

  async function isTalking(transfer: Transfer): Promise<boolean> {
    const { room_name } = await sessions.get(transfer.session_id, null);
    const present = await media.listParticipants(room_name);
    return present.some(({ identity, phone }) => identity === targetOf(transfer) && phone?.state === 'active');
  }

  return {
    start,
    complete: warm.complete,
    completeWarm: records.completeWarm,
    follow: warm.follow,
    settleAbandoned,
    phoneOf,
    underWay: (session_id: string) => findTransferUnderWay(db, session_id),
    erase: deleteTransfersOf,
  };
}
