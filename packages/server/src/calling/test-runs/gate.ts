import type { Gate } from '../../conversations/versions/versions.ts';
import { AppError } from '../../lib/errors.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { suiteOf } from '../scenarios/scenarios.ts';
import { newestRuns } from './store.ts';

/** Lets versions be released that have passed a suite: in their newest test run since it was last changed. */
export const gate: Gate = {
  assertPassed: async (trx, { id: agent_id, user_id }, suite_id, versions) => {
    const suite = await suiteOf(trx, suite_id, user_id);
    if (!suite) {
      const msg = 'Input should be a suite of the user';
      throw new InvalidFields({ field: 'gate', msg, type: 'value_error', input: suite_id });
    }
    const newest = await newestRuns(trx, { suite_id: suite.id, agent_id }, versions, suite.changed_at);
    const missing = versions.find((version) => newest.get(version)?.status !== 'passed');
    if (missing === undefined) return;
    const run = newest.get(missing);
    const why = run ? `its test run /api/test-runs/${run.id} is ${run.status}` : 'no test run of it has ended';
    const detail = `Version ${missing} has not passed the suite: ${why}.`;
    throw new AppError('gate_not_passed', { detail, test_run_id: run?.id });
  },
};
