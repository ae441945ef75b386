import { namedIn } from '../../conversations/agents/agents.ts';
import type { Extractors } from '../../conversations/extractors/extractors.ts';
import { isFinal, type Session, type Sessions } from '../../conversations/sessions/sessions.ts';
import type { VersionMemo } from '../../conversations/versions/versions.ts';
import type { Batch, Deleted } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import { AppError } from '../../lib/errors.ts';
import { type FieldProblem, InvalidFields } from '../../lib/invalid.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { countEnded, endBackfill } from './backfill-store.ts';
import { CALL_ANALYSES, type Wanted } from './ended.ts';
import { ANALYSIS, type Starting } from './starting.ts';
import { analysisIdsOf, deleteAnalysesOf, holdCall, listAnalyses, listOlder, requeueAnalyses } from './store.ts';
import { deleteStatsOf, deleteValuesOf } from './values-store.ts';
import { viewOf } from './view.ts';

export type Analyses = ReturnType<typeof createAnalyses>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit' | 'work'> {
  sessions: Sessions;
  extractors: Extractors;
  versionFacts: VersionMemo<{ wanted: Wanted | null }>;
  starting: Starting;
  callbacks: Callbacks;
}

/** Analyses of calls. */
export function createAnalyses(deps: Deps) {
  const { db, clock, audit, work, sessions, extractors, versionFacts, starting, callbacks } = deps;

  async function list(call_id: string, caller: string | null) {
    const { id } = await sessions.get(call_id, caller);
    return { analyses: (await listAnalyses(db, id)).map(viewOf) };
  }

  /**
   * Has a call analysed, also again. Throws `InvalidFields` for extractors that the user has not, and where the agent
   * names none; `no_transcript`.
   */
  async function request(call_id: string, names: string[] | undefined, caller: string | null, actor: Actor) {
    const session = await sessions.get(call_id, caller);
    const said = isFinal(session) && session.call_status !== null ? await starting.lastWords(db, session) : null;
    if (said === null) throw new AppError('no_transcript');
    const due_at = starting.dueAt(session, said);
    const chosen = await choose(session, names);
    await db.transaction().execute(async (trx) => {
      // Locked first, as by everybody who writes its analyses.
      await holdCall(trx, session.id);
      const again = await requeueAnalyses(trx, session.id, chosen);
      await work.restart(
        trx,
        again.map((key) => ({ kind: ANALYSIS, key, user_id: session.user_id, due_at })),
      );
      await starting.start(trx, session.id, chosen);
      const after = { extractors: chosen.map(({ name, version }) => `${name}@${version}`) };
      await audit.record(trx, actor, 'call.analysis_requested', `session/${session.id}`, {
        user_id: session.user_id,
        after,
      });
    });
    return list(session.id, caller);
  }

  async function choose(session: Session, names: string[] | undefined) {
    const wanted = names?.map(namedIn) ?? (await versionFacts.of(db, session))?.wanted?.extractors ?? [];
    if (wanted.length === 0) throw new InvalidFields(unknown([], 'Field required: its agent names no extractors'));
    const found = await extractors.named(
      db,
      session.user_id,
      wanted.filter((one) => one !== null),
    );
    const problems = wanted.flatMap((one, index) => {
      const isThere = found.some(({ name, version }) => name === one?.name && version === (one.version ?? version));
      return isThere ? [] : [unknown(names ? [index] : [], 'Input should be an extractor of the user')];
    });
    if (problems.length > 0) throw new InvalidFields(...problems);
    return found;
  }

  /** The analyses for the report of a call, and whether it has to wait for some; null if its agent has none. */
  async function forReport(session: Session) {
    const wanted = (await versionFacts.of(db, session))?.wanted;
    if (!wanted) return null;
    // Asked for first: they are stored before this work is done, which also waits for the first words of a call.
    const isBegun = (await work.payloadOf(CALL_ANALYSES, session.id)) === null;
    const areComing = !isBegun && (await starting.lastWords(db, session)) !== null;
    const rows = await listAnalyses(db, session.id);
    const isOpen = areComing || rows.some(({ state }) => state === 'queued' || state === 'running');
    return { analyses: rows.map(viewOf), isAwaited: wanted.waits && isOpen };
  }

  async function erase(trx: Db, session_ids: string[]): Promise<void> {
    if (session_ids.length === 0) return;
    // Work, analyses, values, backfills: in the order in which those who hold work lock them.
    await work.withdraw(trx, CALL_ANALYSES, session_ids);
    await work.withdraw(trx, ANALYSIS, await analysisIdsOf(trx, session_ids));
    const open = await deleteAnalysesOf(trx, session_ids);
    await deleteValuesOf(trx, session_ids);
    for (const backfill of open.toSorted()) {
      await countEnded(trx, backfill, 'failed');
      await endBackfill(trx, backfill, clock.now());
    }
    // Last: one that was being made has queued its event, and may have been made long after its call.
    await callbacks.eraseAnalyses(trx, session_ids);
  }

  /** Deletes a batch of the old analyses, with all of their calls. */
  function deleteOlder(batch: Batch): Promise<Deleted> {
    return db.transaction().execute(async (trx) => {
      const { ids, next } = await listOlder(trx, batch);
      await erase(trx, [...new Set(ids)]);
      return { deleted: ids.length, next };
    });
  }

  return { list, request, forReport, erase, eraseStats: deleteStatsOf, deleteOlder };
}

function unknown(path: number[], msg: string): FieldProblem {
  return { field: ['extractors', ...path], msg, type: 'value_error' };
}
