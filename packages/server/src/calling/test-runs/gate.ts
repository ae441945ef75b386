import type { Gate } from '../../conversations/versions/versions.ts';
import { AppError } from '../../lib/errors.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { Workers } from '../../providers/workers.ts';
import { countConversations, suiteOf } from '../scenarios/scenarios.ts';
import { MAX_CONVERSATIONS } from './schema.ts';
import { type GateRun, newestRuns } from './store.ts';

/**
 * Lets versions be released that have passed a suite: in their newest test run since it was last changed, which asked
 * models, as often as the scenarios say. In a sandbox, where there are none, rules do.
 */
export function createGate({ workers }: { workers: Workers }): Gate {
  const is_sandbox = workers.runScenario !== undefined;

  /** Why a run does not open the gate; null if it does. */
  function problemOf(run: GateRun | undefined): string | null {
    if (!run) return 'no test run of it has ended';
    const its = `its test run /api/test-runs/${run.id}`;
    if (run.status !== 'passed') return `${its} is ${run.status}`;
    if (run.cassette === 'replay') return `${its} has replayed recorded answers, and asked no model`;
    if (run.is_simulated && !is_sandbox) return `${its} is of a sandbox, and asked no model`;
    return run.is_short ? `${its} had fewer runs than a scenario asks for` : null;
  }

  return {
    assertPassed: async (trx, { id: agent_id, user_id }, suite_id, versions) => {
      const suite = await suiteOf(trx, suite_id, user_id);
      if (!suite) throw invalidGate('Input should be a suite of the user', suite_id);
      // A run of it would have fewer runs than a scenario asks for, and opens no gate.
      const count = await countConversations(trx, suite);
      if (count > MAX_CONVERSATIONS)
        throw invalidGate(
          `Input should be a suite of at most ${MAX_CONVERSATIONS} conversations, not ${count}`,
          suite_id,
        );
      const newest = await newestRuns(trx, { suite_id: suite.id, agent_id, is_sandbox }, versions, suite.changed_at);
      for (const version of versions) {
        const run = newest.get(version);
        const problem = problemOf(run);
        if (problem === null) continue;
        const detail = `Version ${version} has not passed the suite: ${problem}.`;
        throw new AppError('gate_not_passed', { detail, test_run_id: run?.id });
      }
    },
  };
}

const invalidGate = (msg: string, input: string) =>
  new InvalidFields({ field: 'gate', msg, type: 'value_error', input });
