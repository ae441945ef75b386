import { createAnalyses } from './calling/analyses/analyses.ts';
import { createAnalysisTask } from './calling/analyses/analysis-task.ts';
import { BACKFILL, createBackfills } from './calling/analyses/backfills.ts';
import { CALL_ANALYSES, createAgentExtractors, createAnalysisRequests } from './calling/analyses/ended.ts';
import { analysesFeature } from './calling/analyses/feature.ts';
import { createSimulatedAnalyses } from './calling/analyses/simulated-analyses.ts';
import { ANALYSIS, createStarting } from './calling/analyses/starting.ts';
import { createExtractors } from './conversations/extractors/extractors.ts';
import { extractorsFeature } from './conversations/extractors/feature.ts';
import type { Feature } from './feature.ts';

const agentExtractors = createAgentExtractors();

type Parts = Omit<Parameters<typeof createStarting>[0], 'agentExtractors' | 'extractors'> &
  Omit<Parameters<typeof createAnalyses>[0], 'agentExtractors' | 'extractors' | 'starting'> &
  Omit<Parameters<typeof createAnalysisTask>[0], 'extractors'> &
  Omit<Parameters<typeof createSimulatedAnalyses>[0], 'task'>;

/** A listener that asks for analyses in the transaction that ends a call. */
export const analysisRequests = (parts: Omit<Parameters<typeof createAnalysisRequests>[0], 'agentExtractors'>) =>
  createAnalysisRequests({ ...parts, agentExtractors });

/** Extractors, analyses of calls, and who makes them: workers that claim tasks, or this process in the sandbox. */
export function createAnalysis(parts: Parts, days: number | undefined) {
  const extractors = createExtractors(parts);
  const starting = createStarting({ ...parts, extractors, agentExtractors });
  const analyses = createAnalyses({ ...parts, extractors, agentExtractors, starting });
  const backfills = createBackfills({ ...parts, extractors, starting });
  const task = createAnalysisTask({ ...parts, extractors });
  const work = {
    [CALL_ANALYSES]: starting.kind,
    [BACKFILL]: backfills.kind,
    ...createSimulatedAnalyses({ ...parts, task }),
  };
  const { db } = parts;
  const features: Feature[] = [
    extractorsFeature(extractors),
    analysesFeature({ db, analyses, backfills, work, tasks: { [ANALYSIS]: task.kind } }, days),
  ];
  return { features, forReport: analyses.forReport };
}
