import { useQuery } from '@tanstack/react-query';
import type { Schema } from './config-paths.ts';
import { keys } from './keys.ts';
import { useSession } from './session.tsx';

/** The JSON Schema of configurations, as the service has it. */
export function useConfigSchema() {
  const { api } = useSession();
  return useQuery({
    queryKey: keys.configSchema,
    queryFn: ({ signal }) => api.agents.configSchema({ signal }) as Promise<Schema>,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
