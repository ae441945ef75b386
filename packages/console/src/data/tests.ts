import type { CallReplay, ScenarioSummary, Suite, TestResult, TestRun, TestRunCreate } from '@switchboard/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { inPages } from './pages.ts';
import { hasEnded, LOOK_MS } from './release-gate.ts';
import { useSession } from './session.tsx';

const PAGE = 100;

/** All scenarios of the user, newest first, without their texts. */
export function useScenarios() {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.scenarios(user),
    queryFn: ({ signal }) => all<ScenarioSummary>(api.scenarios.list({ limit: PAGE }, { signal })),
    enabled: user !== null,
  });
}

/** One scenario with its text. */
export function useScenario(id: string) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.scenario(user, id),
    queryFn: ({ signal }) => api.scenarios.get(id, { signal }),
  });
}

/** A scenario drafted of a call or a chat. It is not kept, and drafted once: what is typed into it would be lost. */
export function useScenarioDraft(callId: string) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.scenarioDraft(user, callId),
    queryFn: ({ signal }) => api.scenarios.draft(callId, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** All suites of the user, newest first. */
export function useSuites() {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.suites(user),
    queryFn: ({ signal }) => all<Suite>(api.suites.list({ limit: PAGE }, { signal })),
    enabled: user !== null,
  });
}

/** The test runs of the user, newest first, in pages; looked at again while one is open. */
export function useTestRuns() {
  const { api, user } = useSession();
  return useInfiniteQuery({
    ...inPages(keys.testRunList(user), (at, options) => api.testRuns.list({ limit: 50, ...at }, options)),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some((run) => !hasEnded(run))) ? LOOK_MS : false,
  });
}

/** One test run, looked at until it has ended. */
export function useTestRun(id: string) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.testRun(user, id),
    queryFn: ({ signal }) => api.testRuns.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data && !hasEnded(state.data) ? LOOK_MS : false),
  });
}

/** The results of a run so far; read again when another scenario has ended. */
export function useTestResults(run: TestRun) {
  const { api, user } = useSession();
  const state = `${run.status} ${run.passed + run.failed + run.invalid}`;
  return useQuery({
    queryKey: keys.testResults(user, run.id, state),
    queryFn: ({ signal }) => all<TestResult>(api.testRuns.results(run.id, { limit: PAGE }, { signal })),
    placeholderData: (before) => before,
  });
}

/** Changes of scenarios and suites, and runs of them. */
export function useTestActions() {
  const { api, user } = useSession();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: keys.tests(user) });
  return {
    saveScenario: useMutation({ mutationFn: (text: string) => api.scenarios.save({ text }), onSettled }),
    deleteScenario: useMutation({ mutationFn: (id: string) => api.scenarios.delete(id), onSettled }),
    saveSuite: useMutation({
      mutationFn: (suite: { name: string; scenarios: string[] }) => api.suites.save(suite),
      onSettled,
    }),
    deleteSuite: useMutation({ mutationFn: (id: string) => api.suites.delete(id), onSettled }),
    start: useMutation({ mutationFn: (run: TestRunCreate) => api.testRuns.start(run), onSettled }),
    replay: useMutation({
      mutationFn: ({ callId, ...replay }: CallReplay & { callId: string }) => api.testRuns.replay(callId, replay),
      onSettled,
    }),
    cancel: useMutation({ mutationFn: (id: string) => api.testRuns.cancel(id), onSettled }),
  };
}

async function all<Item>(pages: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of pages) items.push(item);
  return items;
}
