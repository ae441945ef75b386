import { isFinal, type Session, type Sessions } from '../../conversations/sessions/sessions.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { DialOutcome } from '../../providers/phones.ts';
import type { Participant, Rooms } from '../../providers/rooms.ts';
import type { Conductor } from '../conductor/conductor.ts';
import { hasCaller, isParty, targetOf } from '../conductor/parties.ts';
import { type Attempts, type Ring, recordOutcome } from '../outbound/ring.ts';
import type { Consultations } from './consultations.ts';
import { type ConsultationEnd, findTransferInProgress, hasAnswered, releasePhones, type Transfer } from './store.ts';
import type { TransferRecords } from './transfer-records.ts';

export type WarmTransfers = ReturnType<typeof createWarmTransfers>;

const POLL_INTERVAL_MS = 500;
/** As long as the reconciler waits for someone who is missing. */
const LOOKS = 10;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log' | 'audit'> {
  rooms: Rooms;
  sessions: Sessions;
  conductor: Conductor;
  attempts: Attempts;
  ring: Ring;
  records: TransferRecords;
  consultations: Consultations;
}

/** Transfers whose target is dialled into the call's room, after which the agent leaves. */
export function createWarmTransfers(deps: Deps) {
  const { db, clock, log, rooms, sessions, conductor, attempts, ring, records, consultations, audit } = deps;

  // In the background: caller and agent keep talking while the target's phone rings.
  function dial(session: Session, transfer: Transfer): void {
    ringTarget(session, transfer).catch((err: unknown) =>
      log.error({ err, session_id: session.id }, 'recording the outcome of a warm transfer failed'),
    );
  }

  /** Keeps an answer until it is recorded: the reconciler would find the target, but not since when it is there. */
  async function ringTarget(session: Session, transfer: Transfer): Promise<void> {
    const attempt = attempts.begin(session.id);
    const phone = { identity: targetOf(transfer), phone_number: transfer.phone_number, ...dialOptionsOf(transfer) };
    const ringing = ring(session, phone, attempt, { hasAnswered: () => hasAnswered(db, transfer) });
    const outcome = await (transfer.is_attended ? consultations.muffle(session, transfer, ringing) : ringing).finally(
      attempt.end,
    );
    if (!outcome.answered) return fail(transfer, outcome);
    // At once: recording the answer may take a while.
    const separated = transfer.is_attended ? separate(session, transfer) : undefined;
    const answered_at = await untilCallerIsReady(deps, session, transfer);
    const isConnected = await recordOutcome({ clock, log }, session.id, () => records.connect(transfer, answered_at));
    // Whatever comes next joins those who were separated too late.
    await separated;
    if (isConnected) return answered(session, transfer, outcome);
    const { status } = await sessions.get(session.id, null);
    // The reconciler may have seen the answer before this process learned of it.
    if (isFinal({ status }) || !(await hasAnswered(db, transfer))) await discard(deps, session, transfer);
    if (isFinal({ status })) await sessions.closeRoom(session);
    // Also of one that was given up: the caller, who was put apart for it, hears the agent again.
    else if (transfer.is_attended) await consultations.attend(session, transfer);
  }

  /** A failure is made up for by whoever looks after the consultation. */
  function separate(session: Session, transfer: Transfer): Promise<void> {
    return consultations
      .separate(session, transfer)
      .catch((err: unknown) =>
        log.warn({ err, session_id: session.id }, 'a caller hears the target of a consultation'),
      );
  }

  async function answered(session: Session, transfer: Transfer, { hung_up }: { hung_up?: true }): Promise<void> {
    if (hung_up) {
      await targetGone(session, transfer);
      return lookAgain(transfer);
    }
    if (transfer.is_attended) return consultations.attend(session, transfer);
    // An agent may have left before there was a transfer to complete.
    const present = await rooms.listParticipants(session.room_name);
    if (!present.some(({ kind }) => kind === 'AGENT')) await records.completeWarm(transfer);
  }

  async function fail(transfer: Transfer, outcome: Extract<DialOutcome, { answered: false }>): Promise<void> {
    await recordOutcome({ clock, log }, transfer.session_id, () => records.fail(transfer, outcome));
    // After a failure of the media server itself, everybody may still be reconnecting.
    if (outcome.end_reason.startsWith('provider_')) return;
    await lookAgain(transfer);
  }

  /** The agent may have left meanwhile, or never have come: nobody is left to talk to. */
  async function lookAgain({ session_id }: Transfer): Promise<void> {
    const session = await sessions.get(session_id, null);
    await conductor.look(session, { kind: 'transfer_failed', transfer_type: 'WARM' });
  }

  /** The agent leaves. Throws `no_transfer_in_progress` unless the target has answered and is in the room. */
  async function complete(id: string, caller: string | null, actor: Actor): Promise<Transfer> {
    const session = await sessions.get(id, caller);
    const { transfer, present } = await untilTogether(deps, session);
    if (!present.some(({ identity }) => identity === targetOf(transfer))) {
      await targetGone(session, transfer);
      throw new AppError('no_transfer_in_progress');
    }
    if (transfer.is_attended) return end(session, transfer, { verdict: 'connect', reason: null }, actor);
    // The agent first, because removing it is idempotent: after a provider's failure the request can be retried.
    for (const { kind, identity } of present)
      if (kind === 'AGENT') await rooms.removeParticipant(session.room_name, identity);
    const completed = await db.transaction().execute(async (trx) => {
      await audit.record(trx, actor, 'transfer.completed', `session/${session.id}`, { user_id: session.user_id });
      return records.completeWarm(transfer, trx);
    });
    // The agent's departure may have completed it already.
    return completed ?? { ...transfer, status: 'completed' };
  }

  /**
   * Hangs up on the target of an attended transfer, so that the caller has the agent again. Throws
   * `no_transfer_in_progress`, also for other transfers: there the caller talks to the target.
   */
  async function giveBack(id: string, reason: string, caller: string | null, actor: Actor): Promise<Transfer> {
    const session = await sessions.get(id, caller);
    const transfer = await findTransferInProgress(db, id);
    if (!transfer?.is_attended) throw new AppError('no_transfer_in_progress');
    return end(session, transfer, { verdict: 'return', reason }, actor);
  }

  /** Ends a consultation on request. Throws `no_transfer_in_progress` if it has ended otherwise. */
  async function end(session: Session, transfer: Transfer, ending: ConsultationEnd, actor: Actor): Promise<Transfer> {
    const isReturn = ending.verdict === 'return';
    const about = { user_id: session.user_id, ...(isReturn && { detail: ending.reason }) };
    const action = isReturn ? 'transfer.returned' : 'transfer.completed';
    const note = (trx: Db) => audit.record(trx, actor, action, `session/${session.id}`, about);
    const ended = await consultations.end(session, transfer, ending, note);
    if (ended?.verdict !== ending.verdict || ended.status !== (isReturn ? 'failed' : 'completed'))
      throw new AppError('no_transfer_in_progress');
    return ended;
  }

  async function targetGone(session: Session, transfer: Transfer): Promise<void> {
    if (transfer.is_attended) await consultations.end(session, transfer, { verdict: 'return', reason: 'hangup' });
    else await records.fail(transfer, { end_reason: 'hangup', sip_status_code: null }, 'connected');
  }

  return { dial, complete, giveBack };
}

/** How the target is dialled: the caller who waits for a fallback number hears it ring; workers know attended ones. */
function dialOptionsOf({ is_fallback, is_attended }: Transfer) {
  return { ring_tone: is_fallback, ...(is_attended && { attributes: { 'switchboard.transfer': 'attended' } }) };
}

/**
 * Waits for a caller who may be reconnecting: a call whose caller has hung up ends first, and is not transferred.
 * Returns when the wait began.
 */
async function untilCallerIsThere(
  { clock, rooms, sessions }: Pick<Deps, 'clock' | 'rooms' | 'sessions'>,
  { id, room_name }: Session,
): Promise<Date> {
  const begun = clock.now();
  for (let look = 0; look < LOOKS; look++) {
    if (hasCaller(await rooms.listParticipants(room_name)) || isFinal(await sessions.get(id, null))) break;
    await clock.sleep(POLL_INTERVAL_MS);
  }
  return begun;
}

/** Removes a target that nobody waits for any more: the call has ended, or the rounds have given the transfer up. */
async function discard({ db, clock, log, rooms, records }: Deps, session: Session, transfer: Transfer): Promise<void> {
  // Billed first: the media server may be away.
  await recordOutcome({ clock, log }, session.id, () => records.answeredLate(transfer));
  // Dialing may have made the room again.
  await rooms.removeParticipant(session.room_name, targetOf(transfer));
  await releasePhones(db, transfer.id);
}

/**
 * Returns when the target has answered. The bridge answers a caller who rings for the fallback number, but the watch
 * of inbound calls may not have seen it yet.
 */
async function untilCallerIsReady(
  { clock, rooms, sessions, conductor }: Pick<Deps, 'clock' | 'rooms' | 'sessions' | 'conductor'>,
  session: Session,
  { is_fallback }: Transfer,
): Promise<Date> {
  for (let look = 0; is_fallback && look < LOOKS; look++) {
    const call = await sessions.get(session.id, null);
    if (call.call_status !== 'RINGING') break;
    const { signals } = await conductor.look(call, { kind: 'watch' });
    if (signals.length === 0) await clock.sleep(POLL_INTERVAL_MS);
  }
  return untilCallerIsThere({ clock, rooms, sessions }, session);
}

/**
 * The transfer to complete, once caller and target are in the room, or after a while: one who is missing may be
 * reconnecting. Throws `no_transfer_in_progress`.
 */
async function untilTogether(
  { db, clock, rooms }: Pick<Deps, 'db' | 'clock' | 'rooms'>,
  { id, room_name }: Session,
): Promise<{ transfer: Transfer; present: Participant[] }> {
  for (let look = 0; ; look++) {
    const transfer = await findTransferInProgress(db, id);
    if (transfer?.status !== 'connected') throw new AppError('no_transfer_in_progress');
    const present = await rooms.listParticipants(room_name);
    const others = present.filter((participant) => isParty(participant) && participant.kind !== 'AGENT');
    if (others.length >= 2 || look === LOOKS) return { transfer, present };
    await clock.sleep(POLL_INTERVAL_MS);
  }
}
