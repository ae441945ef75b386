import { type metrics as metricsTypes, voice } from '@livekit/agents';

/** The latency of one turn, in milliseconds after the caller's end of speech. */
export interface TurnLatency {
  turn_index: number;
  model: string | null;
  end_of_speech_at: string;
  transcript_ms: number | null;
  first_token_ms: number | null;
  first_audio_ms: number | null;
}

/** The greatest latency and the greatest index of a turn that the API accepts. */
const MAX_MS = 600_000;
const MAX_INDEX = 9_999;

/** Tells how long each spoken turn of the caller waited for its answer. Call it before `session.start`. */
export function reportTurns(session: voice.AgentSession, tell: (turn: TurnLatency) => void): void {
  /** First tokens by the speech they are for: a model may begin before the turn is known to be over. */
  const tokens = new Map<string, { at: number; model: string | null }>();
  let turn: { speechId: string; endedAt: number; transcriptMs: number; audioAt: number | null } | null = null;
  let count = 0;

  function finish(): void {
    if (!turn || count > MAX_INDEX) return;
    const { speechId, endedAt, transcriptMs, audioAt } = turn;
    const token = tokens.get(speechId);
    const after = (at: number | null | undefined) =>
      at === null || at === undefined ? null : Math.min(Math.max(Math.round(at - endedAt), 0), MAX_MS);
    tell({
      turn_index: count++,
      model: token?.model ?? null,
      end_of_speech_at: new Date(endedAt).toISOString(),
      transcript_ms: after(endedAt + transcriptMs),
      first_token_ms: after(token?.at),
      first_audio_ms: after(audioAt),
    });
    turn = null;
    tokens.clear();
  }

  session.on(voice.AgentSessionEventTypes.MetricsCollected, ({ metrics }) => {
    if (metrics.type === 'llm_metrics' && metrics.speechId && metrics.ttftMs >= 0) {
      const at = metrics.timestamp - metrics.durationMs + metrics.ttftMs;
      // The first of several: after a tool the model is asked again for the same speech.
      if (!tokens.has(metrics.speechId)) tokens.set(metrics.speechId, { at, model: modelOf(metrics) });
    }
    // Zero is a turn whose end was not heard, such as one in writing.
    if (metrics.type === 'eou_metrics' && metrics.lastSpeakingTimeMs > 0) {
      const { speechId = '', lastSpeakingTimeMs: endedAt, transcriptionDelayMs: transcriptMs } = metrics;
      const early = tokens.get(speechId);
      finish();
      if (early) tokens.set(speechId, early);
      turn = { speechId, endedAt, transcriptMs, audioAt: null };
    }
  });
  session.on(voice.AgentSessionEventTypes.AgentStateChanged, ({ newState, createdAt }) => {
    if (turn && newState === 'speaking') turn.audioAt ??= createdAt;
  });
  session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
    if (item.type === 'message' && item.role === 'assistant') finish();
  });
  session.on(voice.AgentSessionEventTypes.Close, finish);
}

function modelOf({ metadata }: metricsTypes.LLMMetrics): string | null {
  return metadata?.modelName ?? null;
}
