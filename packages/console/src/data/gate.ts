import type { AgentReleasePut, TestRun } from '@switchboard/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { keys } from './keys.ts';
import { releaseIfPassed, type Shown } from './release-gate.ts';
import { useSession } from './session.tsx';

interface Gated {
  suite: string;
  /** The release that calls get, as it is shown. */
  before: Shown | undefined;
  prepare: () => Promise<AgentReleasePut>;
}

/** Releases what passes a suite, for a dialog: once it is closed nothing is released, and the runs go on alone. */
export function useGate(agentId: string) {
  const { api, user } = useSession();
  const queries = useQueryClient();
  const [runs, setRuns] = useState<TestRun[]>([]);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);
  const pass = useMutation({
    mutationFn: async ({ suite, before, prepare }: Gated) => {
      setRuns([]);
      const release = await prepare();
      const { signal } = leaving.current;
      const onRun = (run: TestRun) => setRuns((before) => [...before.filter(({ id }) => id !== run.id), run]);
      return releaseIfPassed(api, { agentId, suite, release, before, onRun, signal });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keys.all(user) }),
  });
  return { pass, runs };
}
