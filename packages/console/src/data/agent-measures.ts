import type { Price } from '@switchboard/client';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../ui/permission.ts';
import { keys } from './keys.ts';
import type { Measures } from './model-choices.ts';
import { utcDay } from './overview.ts';
import { useSession } from './session.tsx';

/** Days of turns whose latency is shown beside a model. */
export const MEASURED_DAYS = 30;

/** Prices and latencies that the pickers of models show. Those that the caller may not read are missing. */
export function useMeasures(agentId: string): Pick<Measures, 'prices' | 'latency' | 'agentId'> {
  const { api, user } = useSession();
  const mayReadPrices = useMay('listPrices');
  const prices = useQuery({
    queryKey: keys.modelPrices,
    queryFn: async ({ signal }) => {
      const list: Price[] = [];
      // Prices of phone calls are by destination: there may be thousands.
      for (const event_type of MODEL_EVENTS)
        for await (const price of api.prices.list({ event_type, limit: 100 }, { signal })) list.push(price);
      return list;
    },
    enabled: mayReadPrices,
    staleTime: 60_000,
  });
  const latency = useQuery({
    queryKey: keys.latencyByModel(user, MEASURED_DAYS),
    queryFn: ({ signal }) => api.stats.latency({ start_date: utcDay(MEASURED_DAYS - 1) }, { signal }),
    staleTime: 60_000,
  });
  return { prices: prices.data ?? [], latency: latency.data ?? null, agentId };
}

const MODEL_EVENTS = ['stt_minutes', 'llm_tokens', 'llm_input_tokens', 'llm_output_tokens', 'tts_characters'] as const;
