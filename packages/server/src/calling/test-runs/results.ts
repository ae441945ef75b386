import { verdictOf, wilson } from '@switchboard/scenarios/statistics';
import type { RecordedTurn } from '../scenarios/scenarios.ts';
import { forksOf } from './forks.ts';
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
export function viewRun({ suite_id: suite, is_short: _, ...run }: RunRow) {
  return { ...run, suite, purpose: 'test' as const };
}

/** A result as it is shown. */
export function viewResult({ conversations, problems, ...row }: ResultRow) {
  const { base_passed, base_failed, call_id, turns, recorded_version, ...result } = row;
  const { passed, failed, critical } = result;
  const held = JSON.parse(conversations);
  const base = base_passed === null || base_failed === null ? null : { passed: base_passed, failed: base_failed };
  return {
    ...result,
    replay: viewReplay({ call_id, turns, recorded_version }, held[0]?.turns),
    verdict: verdictOf({ passed, failed }, base, critical),
    base,
    interval: wilson(passed, passed + failed),
    problems: JSON.parse(problems),
    conversations: held,
  };
}

/** The call that a result replays, if it does; forks are known once a conversation was held. */
function viewReplay(
  { call_id, turns, recorded_version }: Pick<ResultRow, 'call_id' | 'turns' | 'recorded_version'>,
  replayed: Parameters<typeof forksOf>[1] | undefined,
) {
  if (call_id === null || turns === null) return null;
  const recorded: RecordedTurn[] = JSON.parse(turns);
  const forks = replayed ? forksOf(recorded, replayed) : { words_fork: null, calls_fork: null };
  return { call_id, agent_version: recorded_version, turns: recorded, ...forks };
}
