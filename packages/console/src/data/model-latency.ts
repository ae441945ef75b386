import type { CostGroup, Latency, LatencyReport, ModelKind, Price } from '@switchboard/client';

/** Turns of calls, and what the ledger has of the same calls: by version of one or all agents, or of all together. */
export interface Measured {
  turns: LatencyReport['groups'];
  used: CostGroup[];
}

/** A model, as the ledger names it. */
export interface NamedModel {
  model: string;
  isOf: (provider: string | undefined) => boolean;
}

const TOKENS: Price['event_type'][] = ['llm_tokens', 'llm_input_tokens', 'llm_output_tokens'];

/** Entries of the ledger by the kind of a model. */
export const EVENT_TYPES: Record<ModelKind, Price['event_type'][]> = {
  stt: ['stt_minutes'],
  llm: TOKENS,
  tts: ['tts_characters'],
  realtime: TOKENS,
};

/** The end of a model's name under which its speech tokens are booked. */
export const SPEECH = ':audio';

const LATENCIES = { stt: 'transcript', llm: 'first_token', tts: 'first_audio', realtime: 'first_audio' } as const;

/** Whether turns name a model of this kind. */
export const isInTurns = (kind: ModelKind) => kind === 'llm' || kind === 'realtime';

interface Version {
  agent_id?: string | null;
  agent_version?: number | null;
}

/** Whether both are of the same version of the same agent, as far as they say which. */
export const isOfVersion = (one: Version, other: Version) =>
  (one.agent_id ?? null) === (other.agent_id ?? null) && (one.agent_version ?? null) === (other.agent_version ?? null);

/** Figures of one agent, and of all: together, and by version. */
export interface AllMeasured {
  own: Measured;
  all: Measured;
  versions: Measured;
}

/**
 * How fast a model was, in the turns of this agent or else of all of them. Turns say which language model they had, and
 * the ledger says whose it is; other models are known of those versions whose calls had one of the kind only.
 */
export function latencyOf(kind: ModelKind, named: NamedModel, { own, all, versions }: AllMeasured): Latency | null {
  const among = ({ turns, used }: Measured) => {
    const work = used.filter(({ event_type }) => EVENT_TYPES[kind].includes(event_type as Price['event_type']));
    const found = turns.filter((turn) => {
      const same = work.filter((one) => isOfVersion(one, turn));
      return isInTurns(kind) ? turn.model === named.model && isOnlyOf(named, same) : isOnly(named, same);
    });
    return together(found.flatMap((turn) => turn[LATENCIES[kind]] ?? []));
  };
  return among(own) ?? among(isInTurns(kind) ? all : versions);
}

/** Whether no other provider has a model of this name there. */
const isOnlyOf = ({ model, isOf }: NamedModel, work: CostGroup[]) =>
  work.every((one) => one.model?.replace(SPEECH, '') !== model || isOf(one.provider));

/** Whether this model did the work, and no other one. */
const isOnly = ({ model, isOf }: NamedModel, work: CostGroup[]) =>
  work.length > 0 && work.every((one) => one.model === model && isOf(one.provider));

/** The figures of several groups of turns as those of one. */
function together(groups: Latency[]): Latency | null {
  const [first, ...others] = groups;
  if (!first || others.length === 0) return first ?? null;
  const turns = groups.reduce((sum, group) => sum + group.turns, 0);
  const mean_ms = Math.round(groups.reduce((sum, group) => sum + group.turns * group.mean_ms, 0) / turns);
  return { turns, mean_ms, p50_ms: quantile(groups, 0.5 * turns), p95_ms: quantile(groups, 0.95 * turns) };
}

/** The time within which this many turns were answered: nearly, because only two points of each group are known. */
function quantile(groups: Latency[], count: number): number {
  let [low, high] = [0, Math.max(...groups.map(({ p95_ms }) => p95_ms))];
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    const within = groups.reduce((sum, group) => sum + group.turns * shareWithin(group, middle), 0);
    if (within < count) low = middle;
    else high = middle;
  }
  return Math.round(high);
}

/** The share of the turns of a group that took no longer, by straight lines through its p50 and p95. */
function shareWithin({ p50_ms, p95_ms }: Latency, ms: number): number {
  if (ms < p50_ms) return (0.5 * ms) / p50_ms;
  return ms < p95_ms ? 0.5 + (0.45 * (ms - p50_ms)) / (p95_ms - p50_ms) : 1;
}
