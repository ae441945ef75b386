/**
 * For an `AgentSession` of @livekit/agents, which brings turn taking, interruptions and tools with its models. It replaces
 * voice.ts, models.ts and conversation.ts; this tells Switchboard what the session hears, says and uses.
 */
import { type metrics as metricsTypes, voice } from '@livekit/agents';
import { minutes, type Unit, type Used } from '../switchboard/prices.ts';
import type { Switchboard } from '../switchboard/switchboard.ts';

type AgentMetrics = metricsTypes.AgentMetrics;

/** Call it before `session.start`. */
export function report(session: voice.AgentSession, switchboard: Switchboard): void {
  session.on(voice.AgentSessionEventTypes.UserInputTranscribed, ({ isFinal, transcript }) => {
    if (isFinal) switchboard.transcript('USER', transcript);
  });
  session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
    if (item.type === 'message' && item.role === 'assistant') switchboard.transcript('AGENT', item.textContent ?? '');
  });
  session.on(voice.AgentSessionEventTypes.MetricsCollected, ({ metrics }) => {
    for (const used of usedBy(metrics)) switchboard.usage(used);
  });
}

/** What a model has used, in the units that are booked. `unknown` in the ledger is a model that does not say who it is. */
export function usedBy(metrics: AgentMetrics): Used[] {
  const { modelProvider, modelName } = ('metadata' in metrics && metrics.metadata) || {};
  const [provider, model] = [modelProvider || 'unknown', modelName || 'unknown'];
  const counts = countsOf(metrics).filter(([, quantity]) => Number(quantity) > 0);
  return counts.map(([unit, quantity]) => ({ provider, model, unit, quantity: String(quantity) }));
}

function countsOf(metrics: AgentMetrics): [Unit, number | string][] {
  switch (metrics.type) {
    case 'stt_metrics':
      return [['stt_minutes', minutes(metrics.audioDurationMs)]];
    case 'tts_metrics':
      return [['tts_characters', metrics.charactersCount]];
    case 'llm_metrics':
      return tokens(metrics.promptTokens, metrics.promptCachedTokens, metrics.completionTokens);
    case 'realtime_model_metrics':
      return tokens(metrics.inputTokens, metrics.inputTokenDetails.cachedTokens, metrics.outputTokens);
    default:
      return [];
  }
}

// The input that came out of a cache is counted in the input too, and costs less.
function tokens(input: number, cached: number, output: number): [Unit, number][] {
  return [
    ['llm_input_tokens', input - cached],
    ['llm_cached_tokens', cached],
    ['llm_output_tokens', output],
  ];
}
