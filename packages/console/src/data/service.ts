import type { Switchboard, WorkersReadiness } from '@switchboard/client';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { useSession } from './session.tsx';
import { useServiceSettings } from './settings.ts';

const readinessOf = (api: Switchboard) =>
  queryOptions({
    queryKey: keys.readiness,
    queryFn: ({ signal }) => api.service.readiness({ signal }),
    staleTime: 30_000,
  });

/** Whether the service and the providers behind it are ready. */
export function useReadiness() {
  const { api } = useSession();
  return useQuery(readinessOf(api));
}

type TaskKind = keyof WorkersReadiness;

/** Kinds of tasks of workers, as people call them. */
export const TASKS: Record<TaskKind, string> = {
  chat_turn: 'chats',
  scenario: 'tests of agents',
  analysis: 'analyses of calls',
  provider_check: 'checks of models',
  function_check: 'checks of functions',
};

/** The kinds of tasks in each state. */
export const tasksByState = (workers: WorkersReadiness) =>
  Map.groupBy(Object.keys(TASKS) as TaskKind[], (kind) => workers[kind]);

const LOOPBACK = /^(localhost|::1|127(\.\d{1,3}){3})$/;

/** The address at which anybody may use the service without a key; null while it is this machine only, or unknown. */
export function useOpenAddress(): string | null {
  const { signedIn } = useSession();
  const settings = useServiceSettings(signedIn === null).data;
  const host = settings?.find(({ name }) => name === 'HOST')?.value ?? 'localhost';
  return signedIn !== null || LOOPBACK.test(host) ? null : host;
}

/** Whether phones are simulated; false until it is known. For what is shown: what is done asks `useAskSandbox`. */
export function useIsSandbox(): boolean {
  return useReadiness().data?.providers.media.name === 'sandbox';
}

/** Asks whether phones are simulated, unless it is known. */
export function useAskSandbox(): () => Promise<boolean> {
  const { api } = useSession();
  const queries = useQueryClient();
  return async () => (await queries.ensureQueryData(readinessOf(api))).providers.media.name === 'sandbox';
}
