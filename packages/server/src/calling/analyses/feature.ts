import type { Db } from '../../db/tables.ts';
import { describeEvent } from '../../delivery/callbacks/webhooks.ts';
import type { Feature } from '../../feature.ts';
import type { Kinds } from '../../work/kinds.ts';
import type { TaskKinds } from '../../work/tasks.ts';
import type { Analyses } from './analyses.ts';
import type { Backfills } from './backfills.ts';
import { analysisRoutes, analysisStatsRoutes, backfillRoutes } from './routes.ts';
import { AnalysisEvent, AnalysisResult, AnalysisTask, CallAnalyzed } from './schema.ts';

/** Ended backfills are kept for this long. */
const KEPT_DAYS = 30;

interface Parts {
  db: Db;
  analyses: Analyses;
  backfills: Backfills;
  work: Kinds;
  tasks: TaskKinds;
}

/** Analyses are kept as long as the transcripts that they quote. */
export function analysesFeature({ db, analyses, backfills, work, tasks }: Parts, days: number | undefined): Feature {
  return {
    routes: (server) => {
      analysisRoutes(server, analyses);
      backfillRoutes(server, backfills);
      analysisStatsRoutes(server, db);
    },
    webhooks: { 'call.analyzed': describeEvent('call.analyzed', CallAnalyzed) },
    schemas: { AnalysisTask, AnalysisResult, AnalysisEvent },
    work,
    tasks,
    keeps: {
      analyses: { days, isHeldBack: true, deleteOlder: analyses.deleteOlder },
      analysis_backfills: { days: KEPT_DAYS, deleteOlder: backfills.deleteOlder },
    },
    expire: { transcripts: analyses.erase },
    erase: {
      sessions: (trx, { ids }) => analyses.erase(trx, ids),
      user: async (trx, { user_id }) => {
        await analyses.eraseStats(trx, user_id);
        await backfills.erase(trx, user_id);
      },
    },
  };
}
