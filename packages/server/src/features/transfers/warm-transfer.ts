import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/log.ts';
import type { Actor } from '../../lib/principal.ts';
import type { DialOutcome, Leaving, Media, Participant } from '../../providers/media/media.ts';
import type { Audit } from '../audit/audit.ts';
import type { Dialling } from '../dialling/dialling.ts';
import { isFinal, type Session, type Sessions } from '../sessions/sessions.ts';
import { isParty, targetOf } from './phones.ts';
import { findTransferInProgress, releasePhones, type Transfer } from './store.ts';
import type { TransferRecords } from './transfer-records.ts';

export type WarmTransfers = ReturnType<typeof createWarmTransfers>;

const LOOK_EVERY_MS = 500;
/** As long as the reconciler waits for someone who is missing. */
const LOOKS = 10;

interface Deps {
  db: Database['db'];
  clock: Clock;
  log: Logger;
  media: Media;
  sessions: Sessions;
  dialling: Dialling;
  records: TransferRecords;
  audit: Audit;
}

/** Transfers whose target is dialed into the call's room, after which the agent leaves. */
export function createWarmTransfers({ db, clock, log, media, sessions, dialling, records, audit }: Deps) {
  // In the background: caller and agent keep talking while the target's phone rings.
  function dial(session: Session, transfer: Transfer): void {
    ringTarget(session, transfer).catch((err: unknown) =>
      log.error({ err, session_id: session.id }, 'recording the outcome of a warm transfer failed'),
    );
  }

  async function ringTarget(session: Session, transfer: Transfer): Promise<void> {
    const identity = targetOf(transfer);
    const attempt = dialling.begin(session.id);
    const outcome = await dialling
      .ring(session, { identity, phone_number: transfer.phone_number }, attempt)
      .finally(() => attempt.end());
    if (!outcome.answered) return fail(transfer, outcome);
    if (await records.connect(transfer)) {
      // An agent may have left before there was a transfer to complete.
      const present = await media.listParticipants(session.room_name);
      if (!present.some(({ kind }) => kind === 'AGENT')) await records.completeWarm(transfer);
      return;
    }
    const { status } = await sessions.get(session.id, null);
    // The reconciler may have seen the answer before this process learned of it.
    if (!isFinal({ status }) && (await findTransferInProgress(db, session.id))?.id === transfer.id) return;
    // The call has ended meanwhile; dialing may have recreated its room.
    await media.removeParticipant(session.room_name, identity);
    await releasePhones(db, transfer.id);
    await records.answeredLate(transfer);
    if (isFinal({ status })) await sessions.closeRoom(session.room_name);
  }

  async function fail(transfer: Transfer, outcome: Extract<DialOutcome, { answered: false }>): Promise<void> {
    await records.fail(transfer, outcome);
    // After a failure of the media server itself, everybody may still be reconnecting.
    if (!outcome.end_reason.startsWith('provider_')) await endIfAlone(transfer.session_id);
  }

  /**
   * Ends a call whose agent has left while the target was dialed: nobody is left to talk to. Caller or agent may be
   * about to reconnect if nobody, or only the agent, is there: the reconciler allows time for that.
   */
  async function endIfAlone(session_id: string): Promise<void> {
    const session = await sessions.get(session_id, null);
    if (session.call_status !== 'ANSWERED' || session.agent_joined_at === null) return;
    const present = await media.listParticipants(session.room_name);
    const [one, ...others] = present.filter(isParty);
    if (one && one.kind !== 'AGENT' && others.length === 0) await sessions.end(session, 'hangup');
  }

  /** The agent leaves. Throws `no_transfer_in_progress` unless the target has answered and is in the room. */
  async function complete(id: string, caller: string | null, actor: Actor): Promise<Transfer> {
    const session = await sessions.get(id, caller);
    const { transfer, present } = await untilTogether(session);
    if (await follow(transfer, present)) throw new AppError('no_transfer_in_progress');
    // The agent first, because removing it is idempotent: after a provider's failure the request can be retried.
    for (const { kind, identity } of present) {
      if (kind === 'AGENT') await media.removeParticipant(session.room_name, identity);
    }
    const completed = await db.transaction().execute(async (trx) => {
      await audit.record(trx, actor, 'transfer.completed', `session/${session.id}`);
      return records.completeWarm(transfer, trx);
    });
    // The agent's departure may have completed it already.
    return completed ?? { ...transfer, status: 'completed' };
  }

  /**
   * The transfer to complete, once caller and target are in the room, or after a while: one who is missing may be
   * reconnecting. Throws `no_transfer_in_progress`.
   */
  async function untilTogether({ id, room_name }: Session): Promise<{ transfer: Transfer; present: Participant[] }> {
    for (let look = 0; ; look++) {
      const transfer = await findTransferInProgress(db, id);
      if (transfer?.status !== 'connected') throw new AppError('no_transfer_in_progress');
      const present = await media.listParticipants(room_name);
      const others = present.filter((participant) => isParty(participant) && participant.kind !== 'AGENT');
      if (others.length >= 2 || look === LOOKS) return { transfer, present };
      await clock.sleep(LOOK_EVERY_MS);
    }
  }

  /**
   * Updates a transfer from its target's presence in the room; true if the target has left, which ends the transfer.
   * A target that is missing for another reason than its own departure may be reconnecting, until `isDue`.
   */
  async function follow(
    transfer: Transfer,
    present: Participant[],
    left?: Participant & { leaving: Leaving },
    isDue = () => true,
  ): Promise<boolean> {
    const target = present.find(({ identity }) => identity === targetOf(transfer));
    if (transfer.status === 'pending' && target?.phone?.state === 'active') await records.connect(transfer);
    if (transfer.status !== 'connected' || target) return false;
    if (left ? left.identity !== targetOf(transfer) : !isDue()) return false;
    const end_reason = left?.leaving === 'lost' ? 'media_lost' : 'hangup';
    await records.fail(transfer, { end_reason, sip_status_code: null }, 'connected');
    return true;
  }

  return {
    dial,
    complete,
    /** Completes the transfer of a call whose agent has left by itself. */
    completeWarm: records.completeWarm,
    follow,
    endIfAlone,
  };
}
