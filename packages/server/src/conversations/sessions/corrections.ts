import type { Audit } from '../../access/audit/audit.ts';
import type { Db } from '../../db/tables.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Session } from './store.ts';

const FIGURES = ['ended_at', 'duration'] as const;
const OUTCOME = ['answered_by', 'disposition'] as const;

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
