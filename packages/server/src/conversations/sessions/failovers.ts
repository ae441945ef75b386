import type { Static } from 'typebox';
import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { owned } from '../../lib/principal.ts';
import { assertTakesReports } from './lifecycle.ts';
import { type FailedOver, type FailedOverCreate, MAX_FAILOVERS } from './schema.ts';
import { lockSession, type Session } from './store.ts';
import { addFailover } from './timeline-store.ts';

/** Records on timelines that a model took over from another one. */
export function createFailovers({ db, clock }: { db: Database['db']; clock: Clock }) {
  /**
   * Adds an entry to the timeline of a session; one with a known id is ignored, and so is one too many. Throws
   * `not_found`, or `session_ended` more than a day after the end.
   */
  async function report(
    session_id: string,
    { id, at, ...over }: Static<typeof FailedOverCreate>,
    caller: string | null,
  ) {
    return db.transaction().execute(async (trx) => {
      const session = owned(isId(session_id) ? await lockSession(trx, session_id) : undefined, caller);
      if (session.erased_at) throw new AppError('not_found');
      assertTakesReports(session, clock.now());
      return {
        added: await addFailover(trx, session, { id, at: at ? new Date(at) : clock.now(), over }, MAX_FAILOVERS),
      };
    });
  }

  return {
    reportFailover: report,
    /** Adds an entry to the timeline of a session that the transaction has locked, unless it has too many. */
    addFailover: async (trx: Db, session: Session, over: Static<typeof FailedOver>): Promise<void> => {
      await addFailover(trx, session, { id: newId(), at: clock.now(), over }, MAX_FAILOVERS);
    },
  };
}
