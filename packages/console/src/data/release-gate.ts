import {
  type AgentCurrentRelease,
  type AgentReleasePut,
  type Switchboard,
  SwitchboardError,
  type TestRun,
} from '@switchboard/client';

/** How often an open test run is looked at: the stream of events tells of calls alone. */
export const LOOK_MS = 1_000;

/** Looks in a row that may get no answer: a service that starts again takes less than a minute. */
const MAX_MISSED = 60;

export const hasEnded = ({ ended_at }: Pick<TestRun, 'ended_at'>) => ended_at !== null;

/** A version has not passed the suite: its run tells why. */
export class NotPassed extends Error {
  readonly run: TestRun;

  constructor(run: TestRun) {
    super(`Version ${run.agent_version} has not passed: nothing was released.`);
    this.run = run;
  }
}

/** The release that calls get, as it is shown to whoever changes it. */
export type Shown = Pick<AgentCurrentRelease, 'number'>;

/** Has a request refused if calls get another release than this one by then. */
export const inPlaceOf = (shown: Shown | undefined) => (shown ? { ifMatch: String(shown.number) } : {});

/** Says what to do if somebody else was faster. */
export const ifOvertaken = (what: string) => (error: unknown) => {
  throw error instanceof SwitchboardError && error.code === 'changed_meanwhile' ? new Error(what) : error;
};

export const RELEASED_MEANWHILE =
  'What calls get has changed since you opened this: by somebody else, or by an attempt of yours whose answer was lost. Close it and see what they get now.';

interface Wanted {
  agentId: string;
  suite: string;
  /** The release that is made if each of its versions passes. */
  release: AgentReleasePut;
  /** The release that it replaces: another one made meanwhile stays. */
  before: Shown | undefined;
  /** Is given each run as it goes on. */
  onRun: (run: TestRun) => void;
  /** Until the next look at a run, in milliseconds. */
  lookMs?: number;
  signal: AbortSignal;
}

/**
 * Runs a suite with each version of a release, one after the other, and releases them when all have passed. Throws
 * `NotPassed` for the first that has not; nothing is released once the signal is aborted.
 */
export async function releaseIfPassed(
  api: Pick<Switchboard, 'testRuns' | 'releases'>,
  { agentId, suite, release, before, onRun, lookMs = LOOK_MS, signal }: Wanted,
) {
  let missed = 0;

  /** Looks at a run again; null if the service did not answer, unless that goes on for too long. */
  async function look({ id }: TestRun): Promise<TestRun | null> {
    try {
      const run = await api.testRuns.get(id, { signal });
      missed = 0;
      return run;
    } catch (error) {
      missed += 1;
      const isPassing = error instanceof SwitchboardError && (error.status === null || error.status >= 500);
      if (!isPassing || signal.aborted || missed > MAX_MISSED) throw error;
      return null;
    }
  }

  for (const { version } of release.arms) {
    let run = await api.testRuns.start({ agent_id: agentId, agent_version: version, suite });
    onRun(run);
    while (!hasEnded(run)) {
      await new Promise((resolve) => setTimeout(resolve, lookMs));
      signal.throwIfAborted();
      run = (await look(run)) ?? run;
      onRun(run);
    }
    if (run.status !== 'passed') throw new NotPassed(run);
  }
  signal.throwIfAborted();
  // The service looks again: what it knows decides, not this page.
  return api.releases
    .put(agentId, { ...release, gate: suite }, inPlaceOf(before))
    .catch(ifOvertaken(RELEASED_MEANWHILE));
}
