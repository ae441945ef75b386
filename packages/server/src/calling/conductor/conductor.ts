import { isFinal, type Session, type Sessions, type SipDialog } from '../../conversations/sessions/sessions.ts';
import { createFailureLog } from '../../lib/failure-log.ts';
import type { Platform } from '../../platform.ts';
import type { Participant, Rooms } from '../../providers/rooms.ts';
import { decide, hasLeft, needsRoom } from './decide.ts';
import { GRACE_MS, type Limits, UNCOUNTED_MS } from './ends.ts';
import { dialogOf, hasCaller, isBrowser, isOwn, phoneOf } from './parties.ts';
import type { Action, Cause, Decision, Reports, Seen, Transfer } from './seen.ts';

export type { Cause, Reports };
export { GRACE_MS };
export type Conductor = ReturnType<typeof createConductor>;

const POLL_INTERVAL_MS = 500;

/** Records of the transfers of calls. */
interface Transfers {
  inProgress(session_id: string): Promise<Transfer | undefined>;
  connect(transfer: Transfer, answered_at: Date): Promise<unknown>;
  completeWarm(transfer: Transfer): Promise<unknown>;
  tend(call: Session, transfer: Transfer): Promise<unknown>;
  fail(
    transfer: Transfer,
    why: { end_reason: string; sip_status_code: null; at: Date },
    from: 'pending' | 'connected',
  ): Promise<unknown>;
  targetLeft(session_id: string, transfer_id: string, at: Date): Promise<unknown>;
}

interface Deps extends Pick<Platform, 'clock' | 'log'> {
  rooms: Rooms;
  sessions: Sessions;
  transfers: Transfers;
  /** Says what the stored events tell about a room. */
  reportsOf: (room_name: string) => Promise<Reports>;
  /** Bills an ended call until the provider's own time of its end. */
  adjustLine: (call: Session) => Promise<void>;
  /** Whether this process is dialing the call's phone. */
  isDialing: (session_id: string) => boolean;
  /** Accepts the inbound caller in a room. */
  receive: (room_name: string) => Promise<void>;
  limits: Limits;
}

/** Looks at calls, and does what `decide` says. */
export function createConductor(deps: Deps) {
  const { clock, log, rooms, sessions, transfers, isDialing, receive, limits } = deps;
  const stopping = new AbortController();
  const watched = new Map<string, Promise<void>>();
  let nextLook: Promise<void> | undefined;

  /**
   * Looks at a call for a reason, and does what follows. `isNamed` if it has ended the call, and recorded with the end
   * how the bridge names its phone.
   */
  async function look(call: Session, reason: Cause): Promise<Decision & { isNamed: boolean }> {
    const isDialed = isDialing(call.id);
    // From before the room is read: whoever joins while this process stands still has not come too late.
    const now = { at: clock.now(), limits };
    const present = needsRoom({ call, cause: reason, isDialed }, now)
      ? await rooms.listParticipants(call.room_name)
      : null;
    const cause = await recount(rooms, now.at, call, reason, present);
    const transfer = present && call.call_status === 'ANSWERED' ? await transfers.inProgress(call.id) : undefined;
    const reported = isMissed(call, cause, present) ? await reportedOf(deps, call, cause) : {};
    const decision = decide({ call, cause, ...reported, isDialed, present, transfer }, now);
    for (const action of decision.actions) await perform(call, action);
    const dialog = dialogOf(cause);
    const end = await apply(deps, call, decision, { dialog, trunks: trunksOf(call, present) });
    if (end === 'late') await look(await sessions.get(call.id, null), reason);
    return { ...decision, isNamed: dialog !== null && end === 'ended' };
  }

  async function perform(call: Session, action: Action): Promise<unknown> {
    switch (action.kind) {
      case 'hangUp':
        return sessions.closeRoom(call);
      case 'dispatch':
        return receive(call.room_name);
      case 'recordAgent':
        return recordAgent(call, action.at);
      case 'remove':
        return removeAgent(call, action.participant);
      case 'endTargetLine':
        return transfers.targetLeft(call.id, action.transferId, action.at);
      case 'connectTransfer':
        return transfers.connect(action.transfer, action.at);
      case 'completeTransfer':
        return transfers.completeWarm(action.transfer);
      case 'tendConsultation':
        return transfers.tend(call, action.transfer);
      case 'adjustLine':
        return deps.adjustLine(call);
      case 'failTransfer':
        return failTransfer(transfers, action);
    }
  }

  async function recordAgent({ id, call_direction }: Session, at: Date): Promise<void> {
    await sessions.markAgentJoined({ id, at });
    if (call_direction === 'OUTBOUND') watched.delete(id);
  }

  async function removeAgent({ id, room_name }: Session, { identity, sid }: Participant): Promise<void> {
    const about = { session_id: id, identity };
    log.warn(about, 'a second worker joined a call; removing the first');
    // A connection whose server has died stays listed, and no server removes it: settle the call nevertheless.
    await rooms
      .removeParticipant(room_name, identity, sid)
      .catch((err: unknown) => log.warn({ err, ...about }, 'removing the first worker failed'));
  }

  /**
   * Looks at a call every half second, for `ms` at most, until its agent is known to have joined and, if it came in,
   * to have been answered: no event reports that the bridge has answered, and if an agent's event is lost, it can come
   * and go before the reconciler looks.
   */
  function watch(call: Session, ms: number): Promise<void> {
    const { id } = call;
    const work = watched.get(id) ?? untilBegun(call, performance.now() + ms).finally(() => watched.delete(id));
    watched.set(id, work);
    return work;
  }

  /** All watched calls share one timer: a timer for each costs more than the look. */
  function untilNextLook(): Promise<void> {
    nextLook ??= clock
      .sleep(POLL_INTERVAL_MS, stopping.signal)
      .catch(() => {})
      .finally(() => {
        nextLook = undefined;
      });
    return nextLook;
  }

  async function untilBegun({ id, call_direction }: Session, until: number): Promise<void> {
    const failures = createFailureLog(log, `watching an ${(call_direction ?? 'open').toLowerCase()} call`);
    while (performance.now() < until) {
      await untilNextLook();
      if (stopping.signal.aborted || !watched.has(id)) return;
      try {
        const call = await sessions.get(id, null);
        if (hasBegun(call)) return;
        await look(call, { kind: 'watch' });
        failures.succeeded();
      } catch (err) {
        failures.failed(err);
      }
    }
  }

  return {
    look,
    watch,
    isWatching: (id: string) => watched.has(id),
    /** Stops watching; another process, or the next start, continues. */
    stop: async () => {
      stopping.abort();
      await Promise.all(watched.values());
    },
  };
}

/** Columns that are written with an end, and with an answer. */
interface Noted {
  dialog: SipDialog | null;
  trunks: Pick<Session, 'trunks'> | null;
}

/** Applies the signals to the call; `late` if it has ended meanwhile for another reason, and is billed by that. */
async function apply(deps: Deps, call: Session, { signals }: Decision, { dialog, trunks }: Noted) {
  let end: 'ended' | 'late' | null = null;
  for (const signal of signals) {
    const isEnd = signal.kind !== 'answered';
    const changed = await deps.sessions.apply(call.id, signal, (isEnd ? dialog : trunks) ?? undefined);
    if (signal.kind === 'failed') logFailure(deps, call, signal.end_reason);
    end = isEnd ? (changed ? 'ended' : 'late') : null;
  }
  return end;
}

/**
 * The trunk of a dialled phone, which says whose line it is. If the process that dials it is alive, it records later
 * which ones have refused the call before.
 */
function trunksOf({ call_direction }: Session, present: Participant[] | null): Pick<Session, 'trunks'> | null {
  const trunk = call_direction === 'OUTBOUND' && present ? phoneOf(present)?.phone?.trunk_id : null;
  return trunk ? { trunks: [{ trunk, end_reason: null, sip_status_code: null }] } : null;
}

async function reportedOf({ reportsOf }: Deps, call: Session, cause: Cause): Promise<Pick<Seen, 'departed' | 'known'>> {
  const { departure, known } = await reportsOf(call.room_name);
  const isRoomGone = cause.kind === 'room_ended' || (cause.kind === 'round' && cause.people === null);
  return { departed: departure && hasLeft(call, departure, isRoomGone) ? departure : undefined, known };
}

function logFailure({ log }: Deps, { id: session_id }: Session, end_reason: string): void {
  log[end_reason === 'agent_never_joined' ? 'error' : 'warn']({ session_id, end_reason }, 'a call has failed');
}

function failTransfer(transfers: Transfers, { transfer, end_reason, at }: Extract<Action, { kind: 'failTransfer' }>) {
  const from = transfer.status === 'connected' ? 'connected' : 'pending';
  return transfers.fail(transfer, { end_reason, sip_status_code: null, at }, from);
}

function hasBegun(call: Session): boolean {
  if (isFinal(call) || call.transfer_type !== null) return true;
  return call.agent_joined_at !== null && (call.call_direction === 'OUTBOUND' || call.call_status === 'ANSWERED');
}

/**
 * Whether the phone or browser of a call is missing, and something else than its departure has shown that. Only then
 * are the stored events worth a query.
 */
function isMissed({ call_status, call_direction }: Session, cause: Cause, present: Participant[] | null): boolean {
  if (cause.kind === 'joined' || cause.kind === 'watch' || (cause.kind === 'left' && isOwn(cause.participant)))
    return false;
  const isExpected = call_status === 'ANSWERED' || (call_status === 'RINGING' && call_direction === 'INBOUND');
  const isOver = cause.kind === 'round' && (cause.people === null || cause.isAbandoned);
  return isExpected && (present === null ? isOver : !hasCaller(present));
}

/**
 * The reason for a look, with the count of people corrected if it has long been zero although somebody is listed. The
 * media server does not repeat a count that its Redis could not take, so that it may be wrong for the rest of the call;
 * whoever is listed may have been lost with a server or a bridge. The server that has the connection knows.
 */
async function recount(
  rooms: Rooms,
  at: Date,
  { call_status, room_name }: Session,
  cause: Cause,
  present: Participant[] | null,
): Promise<Cause> {
  if (call_status !== 'ANSWERED' || cause.kind !== 'round' || cause.people !== 0 || !present) return cause;
  if (at.getTime() - (cause.missingSince ?? at).getTime() <= UNCOUNTED_MS) return cause;
  const caller = phoneOf(present) ?? present.find(isBrowser);
  const isWrong = caller !== undefined && (await rooms.isConnected(room_name, caller.identity));
  return isWrong ? { ...cause, people: 1, missingSince: null } : cause;
}
