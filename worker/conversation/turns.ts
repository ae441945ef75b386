import { llm, type metrics as metricsTypes, voice } from '@livekit/agents';
import type { Sounds } from './sounds.ts';

/** The latency of one turn, in milliseconds after the end of the caller's last sound. */
export interface TurnLatency {
  turn_index: number;
  model: string | null;
  end_of_speech_at: string;
  transcript_ms: number | null;
  first_token_ms: number | null;
  first_audio_ms: number | null;
  /** How long the agent had been speaking when the caller began; absent if it was silent. */
  interrupted_after_ms?: number;
}

type Report = (turn: TurnLatency) => void;

/** Maximum latency and turn index that the API accepts. */
const MAX_MS = 600_000;
const MAX_INDEX = 9_999;

/** Reports how long each spoken turn of the caller waited for its answer. Call it before `session.start`. */
export function reportTurns(session: voice.AgentSession, sounds: Sounds, report: Report): void {
  if (session.llm instanceof llm.RealtimeModel) reportRealtimeTurns(session, session.llm.model ?? null, sounds, report);
  else reportSpokenTurns(session, sounds, report);
}

function reportSpokenTurns(session: voice.AgentSession, sounds: Sounds, report: Report): void {
  const interruptions = watchInterruptions(session);
  /** First tokens by the speech they answer: a model may start before the turn is known to have ended. */
  const tokens = new Map<string, { at: number; model: string | null }>();
  let turn: SpokenTurn | null = null;
  let count = 0;

  function finish(): void {
    if (!turn || count > MAX_INDEX) return;
    const { speechId, endedAt, transcriptAt, soundAt, overlap } = turn;
    interruptions.forget(overlap);
    const token = tokens.get(speechId);
    report({
      turn_index: count++,
      model: token?.model ?? null,
      end_of_speech_at: new Date(endedAt).toISOString(),
      transcript_ms: latency(endedAt, transcriptAt),
      first_token_ms: latency(endedAt, token?.at),
      first_audio_ms: latency(endedAt, soundAt?.()),
      ...overlap,
    });
    turn = null;
    tokens.clear();
  }

  session.on(voice.AgentSessionEventTypes.MetricsCollected, ({ metrics }) => {
    if (metrics.type === 'llm_metrics' && metrics.speechId && metrics.ttftMs >= 0) {
      const at = metrics.timestamp - metrics.durationMs + metrics.ttftMs;
      // Only the first of several: after a tool call the model is asked again for the same speech.
      if (!tokens.has(metrics.speechId)) tokens.set(metrics.speechId, { at, model: modelOf(metrics) });
    }
    // Zero is a turn whose end was not heard, such as a text message.
    if (metrics.type === 'eou_metrics' && metrics.lastSpeakingTimeMs > 0) {
      const { speechId = '', lastSpeakingTimeMs: reportedAt, transcriptionDelayMs } = metrics;
      const early = tokens.get(speechId);
      finish();
      if (early) tokens.set(speechId, early);
      const endedAt = sounds.endOfSpeech(reportedAt);
      const transcriptAt = reportedAt + transcriptionDelayMs;
      turn = { speechId, endedAt, transcriptAt, soundAt: null, overlap: interruptions.latest() };
    }
  });
  session.on(voice.AgentSessionEventTypes.AgentStateChanged, ({ newState, createdAt }) => {
    if (turn && newState === 'speaking') turn.soundAt ??= sounds.firstSound(createdAt);
  });
  session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
    if (item.type === 'message' && item.role === 'assistant') finish();
  });
  session.on(voice.AgentSessionEventTypes.Close, finish);
}

interface SpokenTurn {
  speechId: string;
  endedAt: number;
  transcriptAt: number;
  soundAt: (() => number) | null;
  overlap: Interrupted;
}

type Interrupted = Pick<TurnLatency, 'interrupted_after_ms'>;

/** Tells when in the agent's last words the caller has begun to speak, if that has ended them. */
function watchInterruptions(session: voice.AgentSession) {
  let spokeAt: number | null = null;
  let isHeard = false;
  let interrupted: Interrupted = {};
  session.on(voice.AgentSessionEventTypes.AgentStateChanged, ({ newState, createdAt }) => {
    // Sounds after which the agent has said all it wanted have not interrupted it.
    if (newState === 'speaking' || (spokeAt !== null && !isHeard)) interrupted = {};
    spokeAt = newState === 'speaking' ? createdAt : null;
  });
  session.on(voice.AgentSessionEventTypes.UserStateChanged, ({ newState, createdAt }) => {
    isHeard = newState === 'speaking';
    if (isHeard && spokeAt !== null) interrupted.interrupted_after_ms ??= latency(spokeAt, createdAt) ?? 0;
  });
  return {
    latest: (): Interrupted => interrupted,
    /** One that was told is not told again of the next turn, before which the agent may have said nothing. */
    forget: (one: Interrupted): void => {
      if (one === interrupted) interrupted = {};
    },
  };
}

/**
 * The same for a realtime model, which decides itself when a turn has ended: its signal is the end of speech. A
 * caller who continues before the agent has started to answer is still in the same turn.
 */
function reportRealtimeTurns(session: voice.AgentSession, model: string | null, sounds: Sounds, report: Report): void {
  const interruptions = watchInterruptions(session);
  let turn: (Interrupted & RealtimeTurn) | null = null;
  let count = 0;

  function finish(): void {
    if (turn?.soundAt !== undefined && count <= MAX_INDEX) {
      const { interrupted_after_ms } = turn;
      report({
        turn_index: count++,
        model,
        end_of_speech_at: new Date(turn.endedAt).toISOString(),
        transcript_ms: latency(turn.endedAt, turn.transcriptAt),
        first_token_ms: latency(turn.endedAt, turn.tokenAt),
        first_audio_ms: latency(turn.endedAt, turn.soundAt()),
        ...(interrupted_after_ms !== undefined && { interrupted_after_ms }),
      });
    }
    turn = null;
  }

  session.on(voice.AgentSessionEventTypes.UserStateChanged, ({ oldState, newState, createdAt }) => {
    if (oldState !== 'speaking' || newState !== 'listening') return;
    finish();
    turn = { endedAt: createdAt, ...interruptions.latest() };
  });
  session.on(voice.AgentSessionEventTypes.UserInputTranscribed, ({ isFinal, createdAt }) => {
    if (turn && isFinal) turn.transcriptAt ??= createdAt;
  });
  session.on(voice.AgentSessionEventTypes.AgentStateChanged, ({ newState, createdAt }) => {
    if (turn && newState === 'speaking') turn.soundAt ??= sounds.firstSound(createdAt);
  });
  session.on(voice.AgentSessionEventTypes.MetricsCollected, ({ metrics }) => {
    if (turn && metrics.type === 'realtime_model_metrics' && metrics.ttftMs >= 0)
      turn.tokenAt ??= metrics.timestamp + metrics.ttftMs;
  });
  session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
    if (item.type === 'message' && item.role === 'assistant') finish();
  });
  session.on(voice.AgentSessionEventTypes.Close, finish);
}

interface RealtimeTurn {
  endedAt: number;
  transcriptAt?: number;
  tokenAt?: number;
  soundAt?: () => number;
}

/** Milliseconds after the end of speech; 0 for events before it. */
function latency(endedAt: number, at: number | null | undefined): number | null {
  return at === null || at === undefined ? null : Math.min(Math.max(Math.round(at - endedAt), 0), MAX_MS);
}

function modelOf({ metadata }: metricsTypes.LLMMetrics): string | null {
  return metadata?.modelName ?? null;
}
