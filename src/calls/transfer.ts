import type { Agents } from '../agents/agents.ts';
import type { Audit } from '../audit/audit.ts';
import type { Callbacks } from '../callbacks/callbacks.ts';
import type { Database } from '../db/database.ts';
import type { Db, TransferType } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { isObject } from '../lib/json.ts';
import type { Logger } from '../lib/log.ts';
import type { Actor } from '../lib/principal.ts';
import type { Media, ReferOutcome } from '../providers/media/media.ts';
import { isFinal, type Session, type Sessions } from '../sessions/sessions.ts';
import { assertCallable, type CallingPolicy } from './destinations.ts';
import { type Dialling, failureReason } from './dialling.ts';
import type { Limits } from './limits.ts';
import {
  deleteTransfersOf,
  findTransferUnderWay,
  findUnfinishedTransfers,
  insertTransfer,
  listStaleTransfers,
  moveTransfer,
  releasePhones,
  type Transfer,
} from './store.ts';

export type Transfers = ReturnType<typeof createTransfers>;

const TARGET_PREFIX = 'transfer-';
/** Longer than any transfer asks, so that what is older belongs to no living request. */
const ABANDONED_AFTER_MS = 120_000;
/** After these the target's phone may be connected: it goes on counting as a call. */
const UNKNOWN_OUTCOMES = new Set(['interrupted', 'provider_timeout']);

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
  /**
   * Throws `session_not_active`, `transfer_in_progress`, what `countTransfer` throws, or `transfer_failed` when a cold one is not
   * accepted.
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
    else dialTarget(session, transfer);
    return transfer;
  }

  async function typeOf(session: Session): Promise<TransferType> {
    const agent = session.agent_id ? await agents.get(session.agent_id, null).catch(() => null) : null;
    const settings = agent?.config.transfer;
    const type = isObject(settings) ? settings.type : undefined;
    return type === 'COLD' || type === 'WARM' ? type : defaultType;
  }

  // Written before anything is asked of the provider: the phone leaving must not read as a hang-up. The session is locked, so
  // that a call which ends at this moment is either not transferred, or ends its transfer.
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
    await fail(transfer, outcome);
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
    const ended = await db.transaction().execute(async (trx) => {
      // First the session, as everybody does who ends a call: the other way round two would wait for one another.
      await sessions.lock(trx, session.id);
      const now = clock.now();
      // A phone that was called talks on with the target: the carrier has two phones connected.
      const phones = session.call_direction === 'OUTBOUND' ? 2 : 1;
      const change = {
        status: 'completed',
        phones,
        counted_until: countedUntil('COLD', now),
        updated_at: now,
      } as const;
      if (!(await moveTransfer(trx, transfer.id, 'pending', change))) return null;
      await announceTransferred(trx, transfer);
      return sessions.applyIn(trx, session.id, { kind: 'ended', at: clock.now(), end_reason: 'transferred' });
    });
    if (ended) sessions.ended(ended);
    await sessions.closeRoom(session.room_name);
  }

  async function announceTransferred(trx: Db, { session_id, phone_number, transfer_type }: Transfer): Promise<void> {
    const session = await sessions.markTransferred(trx, session_id, { transferred_to: phone_number, transfer_type });
    await callbacks.enqueue(trx, 'call.transferred', session, { transfer_type, transferred_to: phone_number });
  }

  async function fail(transfer: Transfer, why: { end_reason: string; sip_status_code: number | null }): Promise<void> {
    const { end_reason: reason, sip_status_code } = why;
    await db.transaction().execute(async (trx) => {
      await sessions.lock(trx, transfer.session_id);
      if (!UNKNOWN_OUTCOMES.has(reason)) await releasePhones(trx, transfer.id);
      const failed = await moveTransfer(trx, transfer.id, 'pending', {
        status: 'failed',
        reason,
        sip_status_code,
        updated_at: clock.now(),
      });
      if (!failed) return;
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

  // Behind the answer: the caller and the agent talk on while the target's phone rings.
  function dialTarget(session: Session, transfer: Transfer): void {
    ringTarget(session, transfer).catch((err: unknown) =>
      log.error({ err, session_id: session.id }, 'a warm transfer could not be recorded'),
    );
  }

  async function ringTarget(session: Session, transfer: Transfer): Promise<void> {
    const identity = `${TARGET_PREFIX}${transfer.id}`;
    const outcome = await dialling.ring(session.room_name, identity, transfer.phone_number);
    if (!outcome.answered) return fail(transfer, outcome);
    const connected = await db.transaction().execute(async (trx) => {
      const { call_status } = await sessions.lock(trx, session.id);
      const change = { status: 'connected', updated_at: clock.now() } as const;
      if (call_status !== 'ANSWERED' || !(await moveTransfer(trx, transfer.id, 'pending', change))) return false;
      await announceTransferred(trx, transfer);
      return true;
    });
    if (connected) {
      // An agent that was quick to leave did so before there was a transfer to complete.
      const present = await media.listParticipants(session.room_name);
      if (!present.some(({ kind }) => kind === 'AGENT')) await completeWarm(transfer);
      return;
    }
    // The call has ended meanwhile; dialling may have opened its room again.
    await media.removeParticipant(session.room_name, identity);
    await releasePhones(db, transfer.id);
    if (isFinal(await sessions.get(session.id, null))) await sessions.closeRoom(session.room_name);
  }

  /** The agent drops out of a warm transfer. Throws `no_transfer_in_progress` unless the target has answered. */
  async function complete(id: string, caller: string | null, actor: Actor): Promise<Transfer> {
    const session = await sessions.get(id, caller);
    const transfer = await findTransferUnderWay(db, session.id);
    if (transfer?.status !== 'connected') throw new AppError('no_transfer_in_progress');
    // First the agent, who can be taken out twice: if the provider fails, the same request can be sent again.
    for (const { kind, identity } of await media.listParticipants(session.room_name)) {
      if (kind === 'AGENT') await media.removeParticipant(session.room_name, identity);
    }
    const completed = await db.transaction().execute(async (trx) => {
      await audit.record(trx, actor, 'transfer.completed', `session/${session.id}`);
      return completeWarm(transfer, trx);
    });
    // The agent's leaving may have completed it already.
    return completed ?? { ...transfer, status: 'completed' };
  }

  /** Marks a warm transfer whose target has answered as completed; undefined when it is not at that point. */
  function completeWarm(transfer: Transfer, within: Db = db): Promise<Transfer | undefined> {
    return moveTransfer(within, transfer.id, 'connected', { status: 'completed', updated_at: clock.now() });
  }

  /** Ends transfers whose process died. Whether a target has answered nobody can tell any more, so none is called a success. */
  async function settleAbandoned(): Promise<void> {
    for (const transfer of await listStaleTransfers(db, new Date(clock.now().getTime() - ABANDONED_AFTER_MS))) {
      await fail(transfer, { end_reason: 'interrupted', sip_status_code: null });
    }
  }

  return {
    start,
    complete,
    completeWarm,
    settleAbandoned,
    phoneOf,
    underWay: (session_id: string) => findTransferUnderWay(db, session_id),
    erase: deleteTransfersOf,
  };
}

/** Whether a participant is the target of a warm transfer, by its identity. */
export function isTarget(identity: string): boolean {
  return identity.startsWith(TARGET_PREFIX);
}

/** Ends the transfers of sessions with them, in their transaction: one whose target has come was completed, others came to nothing. */
export async function endTransfers(trx: Db, sessions: Session[], updated_at: Date): Promise<void> {
  for (const transfer of await findUnfinishedTransfers(
    trx,
    sessions.map(({ id }) => id),
  )) {
    // A target in the room goes with it. One that the phone was referred to may be rung all the same.
    if (transfer.transfer_type === 'WARM') await releasePhones(trx, transfer.id);
    if (transfer.status === 'connected')
      await moveTransfer(trx, transfer.id, 'connected', { status: 'completed', updated_at });
    else if (transfer.status === 'pending')
      await moveTransfer(trx, transfer.id, 'pending', { status: 'failed', reason: 'call_ended', updated_at });
  }
}
