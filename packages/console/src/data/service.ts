import { useQuery } from '@tanstack/react-query';
import { useSession } from './session.tsx';

/** Whether the service and the providers behind it are ready. */
export function useReadiness() {
  const { api } = useSession();
  return useQuery({
    queryKey: ['readiness'],
    queryFn: ({ signal }) => api.service.readiness({ signal }),
    staleTime: 30_000,
  });
}

/** Whether phones are simulated; false until it is known. */
export function useIsSandbox(): boolean {
  return useReadiness().data?.providers.media.name === 'sandbox';
}
