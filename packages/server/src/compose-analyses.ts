import { createAnalyses } from './calling/analyses/analyses.ts';
import { createAnalysisTask } from './calling/analyses/analysis-task.ts';
import { BACKFILL, createBackfills } from './calling/analyses/backfills.ts';
import { CALL_ANALYSES } from './calling/analyses/ended.ts';
import { analysesFeature } from './calling/analyses/feature.ts';
import { ANALYSIS, createStarting } from './calling/analyses/starting.ts';
import { createExtractors } from './conversations/extractors/extractors.ts';
import { extractorsFeature } from './conversations/extractors/feature.ts';
import type { Feature } from './feature.ts';
import type { Workers } from './providers/workers.ts';
import { simulate } from './work/simulated.ts';

const SIMULATED_AT_ONCE = 4;

type Parts = Omit<Parameters<typeof createStarting>[0], 'extractors'> &
  Omit<Parameters<typeof createAnalyses>[0], 'extractors' | 'starting'> &
  Omit<Parameters<typeof createAnalysisTask>[0], 'extractors' | 'is_simulated'> & { workers: Workers };

type Analyse = NonNullable<Workers['analyseCall']>;

/** Extractors, analyses of calls, and who makes them: workers that claim tasks, or this process in the sandbox. */
export function createAnalysis(parts: Parts, days: number | undefined) {
  const extractors = createExtractors(parts);
  const starting = createStarting({ ...parts, extractors });
  const analyses = createAnalyses({ ...parts, extractors, starting });
  const backfills = createBackfills({ ...parts, extractors, starting });
  const { analyseCall } = parts.workers;
  const taskOf = (is_simulated: boolean) => createAnalysisTask({ ...parts, extractors, is_simulated });
  const work = {
    [CALL_ANALYSES]: starting.kind,
    [BACKFILL]: backfills.kind,
    ...(analyseCall && simulated(parts, taskOf(true), analyseCall)),
  };
  const { db } = parts;
  const features: Feature[] = [
    extractorsFeature(extractors),
    analysesFeature({ db, analyses, backfills, work, tasks: { [ANALYSIS]: taskOf(false) } }, days),
  ];
  return { features, forReport: analyses.forReport };
}

function simulated(parts: Parts, task: ReturnType<typeof createAnalysisTask>, analyse: Analyse) {
  const answer = (call: Parameters<Analyse>[0]) => {
    const { result, used } = analyse(call);
    return { result, events: [{ type: 'usage', used }] };
  };
  return simulate(parts, ANALYSIS, task, answer, SIMULATED_AT_ONCE);
}
