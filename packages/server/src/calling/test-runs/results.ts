import { verdictOf, wilson } from '@switchboard/scenarios/statistics';
import type { ResultRow, RunRow } from './store.ts';

/** The status of a scenario by the outcomes of its runs; those that are invalid say nothing. */
export function statusOf({ passed, failed }: { passed: number; failed: number }): 'passed' | 'failed' | 'invalid' {
  if (failed > 0) return 'failed';
  return passed > 0 ? 'passed' : 'invalid';
}

/** The status of a run that has ended. */
export function endOf({ failed, invalid }: RunRow): 'passed' | 'failed' | 'invalid' {
  if (failed > 0) return 'failed';
  return invalid > 0 ? 'invalid' : 'passed';
}

/** A test run as it is shown. */
export function viewRun({ suite_id: suite, ...run }: RunRow) {
  return { ...run, suite, purpose: 'test' as const };
}

/** A result as it is shown. */
export function viewResult({ conversations, problems, ...result }: ResultRow) {
  const { passed, failed, critical } = result;
  return {
    ...result,
    verdict: verdictOf({ passed, failed }, null, critical),
    interval: wilson(passed, passed + failed),
    problems: JSON.parse(problems),
    conversations: JSON.parse(conversations),
  };
}
