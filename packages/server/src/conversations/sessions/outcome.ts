import { sql } from 'kysely';
import type { Audit } from '../../access/audit/audit.ts';
import type { SipFacts } from '../../db/sip-tables.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { type Actor, owned } from '../../lib/principal.ts';
import { isFinal, latest } from './lifecycle.ts';
import { lockSession, type Session, updateSession } from './store.ts';
import type { Apply } from './transition.ts';

const FIGURES = ['ended_at', 'duration'] as const;
const OUTCOME = ['answered_by', 'disposition'] as const;

/** Why a call has ended that was hung up on for who answered it. */
const ENDS: Partial<Record<NonNullable<Session['answered_by']>, string>> = {
  voicemail: 'voicemail',
  unavailable: 'voicemail',
  screening: 'screening',
};

/** Runs the correction of an ended call in its transaction, together with its consequences. */
export type Correction = (
  trx: Db,
  correction: { before: Session; actor: Actor },
  correct: () => Promise<Session>,
) => Promise<Session>;

interface Deps {
  clock: Clock;
  transact: <T>(work: (trx: Db, apply: Apply) => Promise<T>) => Promise<T>;
  aroundCorrection: Correction;
}

/** The outcome of a call, as reported by a worker or user. Absent fields stay unchanged. */
export interface Outcome {
  answered_by?: Session['answered_by'] | undefined;
  disposition?: string | undefined;
  /** Figures of the line; known ones stay. */
  sip?: Partial<SipFacts> | undefined;
}

/** Records outcomes of calls. */
export function createOutcomes({ clock, transact, aroundCorrection }: Deps) {
  /**
   * Records the outcome of a call and, on request, hangs up in the same transaction. A call answered by a machine
   * then ends as `voicemail` or `screening`. Returns whether it has ended the call. Throws `not_found` if it is not a
   * call, unknown, erased or another user's.
   */
  return async function reportOutcome(
    id: string,
    { answered_by, disposition, sip: facts }: Outcome,
    hangUp: boolean,
    caller: string | null,
    actor: Actor,
  ): Promise<boolean> {
    return transact(async (trx, apply) => {
      const before = owned(await lockSession(trx, id), caller);
      if (before.call_status === null || before.erased_at !== null) throw new AppError('not_found');
      const at = clock.now();
      const write = () =>
        updateSession(trx, id, {
          ...(answered_by !== undefined && { answered_by }),
          ...(disposition !== undefined && { disposition }),
          ...(facts && { sip: sql<string>`coalesce(sip, '{}') || ${JSON.stringify(facts)}::jsonb` }),
          updated_at: latest(at, before.updated_at),
        });
      const session = await (isFinal(before) ? aroundCorrection(trx, { before, actor }, write) : write());
      if (!hangUp) return false;
      const end_reason = (session.answered_by && ENDS[session.answered_by]) ?? 'ended_by_agent';
      const [ended] = await apply([{ id, signal: { kind: 'ended', end_reason } }]);
      return ended != null;
    });
  };
}

/** Corrects an ended session and audits it; a report that changes nothing is not audited. */
export async function auditCorrection(
  audit: Audit,
  trx: Db,
  { before, actor }: { before: Session; actor: Actor },
  correct: () => Promise<Session>,
): Promise<Session> {
  const after = await correct();
  for (const [action, names] of [
    ['session.corrected', FIGURES],
    ['call.outcome_corrected', OUTCOME],
  ] as const) {
    const shown = (session: Session) => Object.fromEntries(names.map((name) => [name, session[name]]));
    const change = { user_id: before.user_id, before: shown(before), after: shown(after) };
    if (JSON.stringify(change.before) !== JSON.stringify(change.after))
      await audit.record(trx, actor, action, `session/${before.id}`, change);
  }
  return after;
}
