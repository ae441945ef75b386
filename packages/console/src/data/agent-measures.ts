import type { CostGroup, ModelKind, Price } from '@switchboard/client';
import { useQuery } from '@tanstack/react-query';
import { keys } from './keys.ts';
import type { Measures } from './model-choices.ts';
import { EVENT_TYPES, isInTurns, isOfVersion, type Measured } from './model-latency.ts';
import { utcDay } from './overview.ts';
import { useSession } from './session.tsx';

/** Days of turns whose latency is shown beside a model. */
export const MEASURED_DAYS = 30;

/** Permissions of the caller. */
interface Readable {
  readPrices: boolean;
  readCosts: boolean;
}

/** Prices and latencies that a picker of models shows. Those that the caller may not read are missing. */
export function useMeasures(
  kind: ModelKind,
  agentId: string,
  may: Readable,
): Pick<Measures, 'prices' | 'own' | 'all' | 'versions'> {
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
    versions: useMeasuredVersions(kind, may.readCosts),
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

/** Groups of the ledger that are read to compare models in all agents. */
const MAX_GROUPS = 1_000;

/** Turns of all agents by version, with their models of a kind that turns themselves do not name. */
function useMeasuredVersions(kind: ModelKind, mayReadCosts: boolean): Measured {
  const { api, user } = useSession();
  const { data } = useQuery({
    queryKey: keys.versionLatency(user, kind),
    queryFn: async ({ signal }) => {
      const query = { start_date: utcDay(MEASURED_DAYS - 1) };
      const [event_type] = EVENT_TYPES[kind];
      const booked = { ...query, event_type, group_by: 'agent,agent_version,provider,model,event_type', limit: 100 };
      const [{ groups }, used] = await Promise.all([
        api.stats.latency({ ...query, group_by: 'agent,agent_version' }, { signal }),
        wholeVersions(api.costs.report(booked, { signal })),
      ]);
      return { turns: groups, used };
    },
    enabled: mayReadCosts && !isInTurns(kind),
    staleTime: 60_000,
  });
  return data ?? NONE;
}

/** The first groups of a report by version; none of a version of which there may be more. */
async function wholeVersions(report: AsyncIterable<CostGroup>): Promise<CostGroup[]> {
  const read: CostGroup[] = [];
  for await (const group of report) {
    if (read.length === MAX_GROUPS) return read.filter((one) => !isOfVersion(one, read.at(-1) ?? group));
    read.push(group);
  }
  return read;
}
