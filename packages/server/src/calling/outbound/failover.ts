import { isFinal, type Sessions } from '../../conversations/sessions/sessions.ts';
import type { TrunkAttempt } from '../../db/trunk-columns.ts';
import type { Platform } from '../../platform.ts';
import type { DialOutcome, DialRequest, Phones } from '../../providers/phones.ts';
import type { Chosen, TrunkResult, Trunks } from './trunks.ts';

/** Least time for another trunk, in seconds: nobody reaches a phone in less. */
const LEAST_S = 3;
/** SIP statuses of networks without room for a call. */
const FULL: readonly (number | null)[] = [429, 503];
/** End reasons that the trunk is to blame for, also where another one must not be tried. */
const FAILED: readonly string[] = ['trunk_failure', 'trunk_rejected', 'trunk_not_found'];

export type DialWithFailover = ReturnType<typeof createFailoverDial>;

interface Deps extends Pick<Platform, 'clock' | 'log' | 'metrics'> {
  phones: Phones;
  sessions: Sessions;
  trunks: Trunks;
  /** Whether a phone may have rung that was dialled over a trunk. */
  mayHaveRung: (room_name: string, identity: string, trunk_id: string) => Promise<boolean>;
}

interface Dialling {
  canceled: AbortSignal;
  /** The trunks, which are added also where it throws: an outcome may be lost. */
  tried: TrunkAttempt[];
  /** Whether the phone may still be dialled. */
  mayDial?: (() => Promise<boolean>) | undefined;
}

/**
 * Dials a phone over the trunks, in order, until one takes the call. The next trunk is tried only if it is certain that
 * no phone has rung so far, that the call goes on, and within the time that the phone may ring.
 */
export function createFailoverDial({ clock, log, metrics, phones, sessions, trunks, mayHaveRung }: Deps) {
  return async function dialWithFailover(
    session_id: string,
    call: DialRequest,
    dialling: Dialling,
  ): Promise<DialOutcome> {
    const until = clock.now().getTime() + call.ringing_timeout_s * 1000;
    for (let ringing_timeout_s = call.ringing_timeout_s; ; ) {
      const outcome = await dialOnNext(session_id, { ...call, ringing_timeout_s }, dialling);
      ringing_timeout_s = Math.floor((until - clock.now().getTime()) / 1000);
      if (ringing_timeout_s < LEAST_S || !(await mayGoOn(session_id, call, dialling, outcome))) return outcome;
    }
  };

  /** Dials over the first trunk that was not tried. */
  async function dialOnNext(
    session_id: string,
    call: DialRequest,
    { canceled, tried }: Dialling,
  ): Promise<DialOutcome> {
    const trunk = trunks.choose(tried.map(({ trunk }) => trunk));
    if (!trunk) return phones.dial(call, canceled);
    const attempt: TrunkAttempt = { trunk: trunk.id, end_reason: null, sip_status_code: null };
    tried.push(attempt);
    let outcome: DialOutcome | undefined;
    try {
      outcome = await phones.dial({ ...call, trunk: trunk.id }, canceled);
      if (outcome.answered) return outcome;
      const { end_reason, sip_status_code } = outcome;
      Object.assign(attempt, { end_reason, sip_status_code });
      return outcome;
    } finally {
      note(session_id, attempt, trunk, outcome);
    }
  }

  /** Notes what became of a call on a trunk; without an outcome, that was lost. */
  function note(session_id: string, attempt: TrunkAttempt, { id: trunk, end }: Chosen, outcome?: DialOutcome): void {
    const result = outcome ? trunkResultOf(outcome) : 'unknown';
    const change = end(result);
    metrics.trunkAttempts.inc({ trunk, outcome: outcome ? (attempt.end_reason ?? 'answered') : 'unknown' });
    if (result === 'failed') log.warn({ session_id, ...attempt }, 'a trunk has failed');
    // The only one is never passed over.
    if (phones.trunks.flat().length === 1) return;
    if (change) metrics.trunkCircuitsOpen.set({ trunk }, change === 'opened' ? 1 : 0);
    if (change === 'opened') log.error({ trunk }, 'a trunk keeps failing and is passed over for a while');
    if (change === 'closed') log.info({ trunk }, 'a trunk works again');
  }

  async function mayGoOn(
    session_id: string,
    { room_name, identity }: DialRequest,
    { canceled, tried, mayDial }: Dialling,
    outcome: DialOutcome,
  ): Promise<boolean> {
    if (outcome.answered || !outcome.by_trunk) return false;
    const trunk = tried.at(-1)?.trunk ?? '';
    if (tried.length >= phones.trunks.flat().length) {
      if (FULL.includes(outcome.sip_status_code)) trunks.slowDown();
      return false;
    }
    try {
      if (outcome.by_trunk === 'refused' && (await mayHaveRung(room_name, identity, trunk))) {
        log.warn({ session_id, trunk }, 'no other trunk is tried: it is not certain that no phone has rung');
        return false;
      }
      if (mayDial && !(await mayDial())) return false;
      // It may have ended in another process meanwhile.
      return !isFinal(await sessions.get(session_id, null)) && !canceled.aborted;
    } catch (err) {
      log.error({ err, session_id, trunk }, 'no other trunk is tried: the call cannot be looked at');
      return false;
    }
  }
}

/** A phone that rang out, or whose bridge gave up, says nothing about its trunk unless the trunk says so itself. */
function trunkResultOf(outcome: DialOutcome): TrunkResult {
  if (outcome.answered) return 'took';
  if (outcome.by_trunk || FAILED.includes(outcome.end_reason)) return 'failed';
  return outcome.sip_status_code === null || outcome.end_reason === 'canceled' ? 'unknown' : 'took';
}
