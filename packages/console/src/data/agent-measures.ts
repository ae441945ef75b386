import type { Price } from '@switchboard/client';
import { useQuery } from '@tanstack/react-query';
import { keys } from './keys.ts';
import type { Measures } from './model-choices.ts';
import type { Measured } from './model-latency.ts';
import { utcDay } from './overview.ts';
import { useSession } from './session.tsx';

/** Days of turns whose latency is shown beside a model. */
export const MEASURED_DAYS = 30;

/** Permissions of the caller. */
interface Readable {
  readPrices: boolean;
  readCosts: boolean;
}

/** Prices and latencies that the pickers of models show. Those that the caller may not read are missing. */
export function useMeasures(agentId: string, may: Readable): Pick<Measures, 'prices' | 'own' | 'all'> {
  const { api } = useSession();
  const prices = useQuery({
    queryKey: keys.modelPrices,
    queryFn: async ({ signal }) => {
      const list: Price[] = [];
      // Prices of phone calls are by destination: there may be thousands.
      for (const event_type of MODEL_EVENTS)
        for await (const price of api.prices.list({ event_type, limit: 100 }, { signal })) list.push(price);
      return list;
    },
    enabled: may.readPrices,
    staleTime: 60_000,
  });
  return {
    prices: prices.data ?? [],
    own: useMeasured(agentId, may.readCosts),
    all: useMeasured(null, may.readCosts),
  };
}

const MODEL_EVENTS = ['stt_minutes', 'llm_tokens', 'llm_input_tokens', 'llm_output_tokens', 'tts_characters'] as const;

const NONE: Measured = { turns: [], used: [] };

/** Turns of the last days with the models of their calls: of an agent by version, or of all agents together. */
function useMeasured(agent_id: string | null, mayReadCosts: boolean): Measured {
  const { api, user } = useSession();
  const { data } = useQuery({
    queryKey: keys.modelLatency(user, agent_id),
    queryFn: async ({ signal }) => {
      const query = { start_date: utcDay(MEASURED_DAYS - 1), ...(agent_id !== null && { agent_id }) };
      const by = agent_id === null ? '' : 'agent_version,';
      const booked = { ...query, group_by: `${by}provider,model,event_type`, limit: 100 };
      const [{ groups }, used] = await Promise.all([
        api.stats.latency({ ...query, group_by: `${by}model` }, { signal }),
        mayReadCosts ? api.costs.report(booked, { signal }).toArray() : [],
      ]);
      return { turns: groups, used };
    },
    staleTime: 60_000,
  });
  return data ?? NONE;
}
