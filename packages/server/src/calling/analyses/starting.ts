import { hash } from 'node:crypto';
import type { Extractor, Extractors } from '../../conversations/extractors/extractors.ts';
import {
  completeAt,
  directionOf,
  isFinal,
  latest,
  type Session,
  type Sessions,
} from '../../conversations/sessions/sessions.ts';
import type { VersionMemo } from '../../conversations/versions/versions.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { idsSince, timeOf } from '../../lib/ids.ts';
import type { Platform } from '../../platform.ts';
import type { Kind } from '../../work/kinds.ts';
import { countDropped, endBackfill } from './backfill-store.ts';
import type { Wanted } from './ended.ts';
import { addAnalyses, holdCall, newestLine, takeFromBackfills } from './store.ts';

/** The kind of work of a worker that makes one analysis, under its id. */
export const ANALYSIS = 'analysis';

const CONCURRENCY = 4;

export type Starting = ReturnType<typeof createStarting>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'work'> {
  sessions: Sessions;
  extractors: Extractors;
  versionFacts: VersionMemo<{ wanted: Wanted | null }>;
  /** Time without new data after which a transcript is taken to be complete. */
  quietMs: number;
}

/** Begins the analyses of ended calls. */
export function createStarting({ db, clock, work, sessions, extractors, versionFacts, quietMs }: Deps) {
  /** Null for an erased session, and where nothing was said. */
  async function lastWords(within: Db, session: Session): Promise<Date | null> {
    if (session.erased_at !== null) return null;
    const id = await newestLine(within, session.id, idsSince(session.id, clock.now()));
    return id === null ? null : timeOf(id);
  }

  /** When the transcript of an ended session is taken to be complete, of which the newest line was stored at `said`. */
  function readyAt(session: Session, said: Date | null): Date {
    const ended_at = session.ended_at ?? session.updated_at;
    return completeAt(ended_at, [said ?? ended_at, session.updated_at], said ? quietMs : Infinity);
  }

  /** When an analysis that is asked for now may begin: it never gets the lines that come later. */
  function dueAt(session: Session, said: Date): Date {
    const now = clock.now();
    // The clock of the process that stored the line may be ahead.
    return latest(now, readyAt(session, said < now ? said : now));
  }

  /**
   * Queues the analyses of a call that there are not yet; returns their number. A call that is erased, has no
   * transcript, or has not ended gets none. Those that a backfill has asked for, and somebody else now, are not the
   * backfill's any more: canceling it would drop them.
   */
  async function start(trx: Db, id: string, chosen: Extractor[], backfill_id: string | null = null): Promise<number> {
    await holdCall(trx, id);
    const session = await sessions.get(id, null, trx);
    const said = isFinal(session) ? await lastWords(trx, session) : null;
    if (said === null) return 0;
    const named = chosen.map(({ name, version }) => ({ name, version }));
    const of = { session_id: id, user_id: session.user_id, extractors: named, backfill_id, at: clock.now() };
    // Taken first: what a canceled backfill drops meanwhile is then added again.
    const taken = backfill_id === null ? await takeFromBackfills(trx, id, named) : [];
    const ids = await addAnalyses(trx, of);
    const due_at = dueAt(session, said);
    await work.add(
      trx,
      ids.map((key) => ({ kind: ANALYSIS, key, user_id: session.user_id, due_at })),
    );
    for (const backfill of taken.toSorted()) {
      await countDropped(trx, backfill, 1);
      await endBackfill(trx, backfill, of.at);
    }
    return ids.length;
  }

  /** Begins the analyses of an ended call, or returns when its transcript may be complete. */
  async function run({ key }: { key: string }): Promise<Date | null> {
    const session = await sessions.get(key, null).catch(missing);
    const wanted = session && (await versionFacts.of(db, session))?.wanted;
    if (!session || !wanted) return null;
    const said = await lastWords(db, session);
    // The first words of a call that was answered may come late: they are looked for once more.
    if (!said && session.started_at === null) return null;
    const ready = readyAt(session, said);
    if (clock.now() < ready) return ready;
    if (!said) return null;
    const named = await extractors.named(db, session.user_id, wanted.extractors);
    const chosen = named.filter((one) => isMeant(one, session) && isSampled(one, session.id));
    if (chosen.length > 0) await db.transaction().execute((trx) => start(trx, session.id, chosen));
    return null;
  }

  return { start, lastWords, dueAt, kind: { run, concurrency: CONCURRENCY } satisfies Kind };
}

/** Whether an extractor is for calls like this one. */
function isMeant({ when }: Extractor, session: Session): boolean {
  const { direction, answered_by, min_duration_s = 0 } = when;
  if (direction !== undefined && direction !== directionOf(session)) return false;
  if (answered_by !== undefined && answered_by !== session.answered_by) return false;
  return (session.duration ?? 0) >= min_duration_s;
}

/** Whether a call is in the sample; the same on every process, and for every version of the extractor. */
function isSampled({ id, sample }: Extractor, session_id: string): boolean {
  if (sample >= 1) return true;
  return Number.parseInt(hash('sha256', `${id} ${session_id}`).slice(0, 12), 16) < sample * 2 ** 48;
}

export function missing(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}
