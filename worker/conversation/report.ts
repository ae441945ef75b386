/** Reports to Switchboard what an `AgentSession` of @livekit/agents hears, says and uses. */
import { llm, type metrics as metricsTypes, type tts, voice } from '@livekit/agents';
import { minutes, type Unit, type Used } from '../switchboard/prices.ts';
import type { Speaker, Switchboard } from '../switchboard/switchboard.ts';
import type { Detector } from './answerer.ts';
import { FallbackTts } from './fallback/tts.ts';
import { followSpeeches, onPlayed } from './playback.ts';
import { providerName } from './providers.ts';

type AgentMetrics = metricsTypes.AgentMetrics;

export interface Reports {
  /** `began` is about when the first word was heard, in milliseconds since 1970. */
  transcript(speaker: Speaker, text: string, began?: number): void;
  usage: Switchboard['usage'];
}

/**
 * Call it before `session.start`. The detector's models are beside the session's own. Recognizers and language models
 * are heard themselves: a session that closes no longer listens to them when they report the last of what was used.
 */
export function report(session: voice.AgentSession, switchboard: Reports, detector: Detector = {}): void {
  reportTranscript(session, switchboard);
  const isRepetition = repetitions(session);
  const book = (metrics: AgentMetrics) => {
    for (const used of usedBy(metrics)) switchboard.usage(used);
  };
  session.on(voice.AgentSessionEventTypes.MetricsCollected, ({ metrics }) => {
    if (metrics.type === 'tts_metrics' && !isRepetition(metrics)) book(metrics);
    if (metrics.type === 'realtime_model_metrics') book(withModel(metrics, session));
  });
  for (const model of [session.stt, detector.stt]) model?.on('metrics_collected', book);
  for (const model of [session.llm, detector.llm]) if (model instanceof llm.LLM) model.on('metrics_collected', book);
}

/** Metrics of a realtime model do not name it, in version 1.8.1 of the library. */
function withModel(
  metrics: metricsTypes.RealtimeModelMetrics,
  { llm: model }: voice.AgentSession,
): metricsTypes.RealtimeModelMetrics {
  if (metrics.metadata || !(model instanceof llm.RealtimeModel)) return metrics;
  return { ...metrics, metadata: { modelProvider: model.provider, modelName: model.model } };
}

/** A line for each turn: everything the caller said, and what the agent said before it was interrupted. */
function reportTranscript(session: voice.AgentSession, { transcript }: Pick<Reports, 'transcript'>): void {
  /** Recognized words that do not belong to a turn yet. */
  let heard: string[] = [];
  session.on(voice.AgentSessionEventTypes.UserInputTranscribed, (event) => {
    if (event.isFinal) heard.push(event.transcript);
  });
  const spokenText = followPlayback(session);
  const speeches = followSpeeches(session);
  session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
    if (item.type !== 'message') return;
    const began = item.metrics?.startedSpeakingAt && item.metrics.startedSpeakingAt * 1000;
    if (item.role === 'assistant') {
      const text = spokenText(item.textContent ?? '', item.interrupted, began !== undefined);
      if (text !== null) transcript('AGENT', text, began);
    }
    if (item.role !== 'user') return;
    const { before, after } = around(item.textContent ?? '', heard);
    heard = after;
    const reportWords = () => {
      if (before.length > 0) transcript('USER', before.join(' '));
      transcript('USER', item.textContent ?? '', began);
    };
    // The library reports the interrupting words before the interrupted ones.
    const interrupted = speeches().find((speech) => speech.interrupted);
    if (interrupted) interrupted.addDoneCallback(reportWords);
    else reportWords();
  });
  // For a caller who hangs up in the middle of a turn.
  session.on(voice.AgentSessionEventTypes.Close, () => {
    if (heard.length > 0) transcript('USER', heard.join(' '));
  });
}

/**
 * Recognized words that came before those of a turn, which the library leaves out if they would have interrupted what
 * must not be interrupted, and those that came after, of the next turn. None if the turn has none of these.
 */
function around(turn: string, heard: readonly string[]): { before: string[]; after: string[] } {
  const plain = (words: readonly string[]) => words.join('').replace(/\s+/g, '');
  for (let end = heard.length; end > 0; end--)
    for (let begin = end - 1; begin >= 0; begin--)
      if (plain(heard.slice(begin, end)) === plain([turn]))
        return { before: heard.slice(0, begin), after: heard.slice(end) };
  // The last turn of a call ends with words that were not final.
  const others = heard.filter((words) => !plain([turn]).includes(plain([words])));
  return { before: others.length < heard.length ? others : [], after: [] };
}

type SpokenText = (text: string, isInterrupted: boolean, hasBegun: boolean) => string | null;

/**
 * Returns the part of an interrupted text that was heard; null if nothing was. For texts passed to `say` (a greeting),
 * version 1.8.1 of the library reports the whole text.
 */
function followPlayback(session: voice.AgentSession): SpokenText {
  let spoken: string | undefined;
  onPlayed(session, ({ synchronizedTranscript }) => {
    spoken = synchronizedTranscript;
  });
  return (text, isInterrupted, hasBegun) => {
    if (!isInterrupted) return text;
    // Interrupted before its first sound, when `spoken` is that of another text, or before its first word.
    if (!hasBegun || spoken === '') return null;
    return spoken && text.startsWith(spoken) ? spoken : text;
  };
}

/**
 * A TTS that cannot stream gets one request per sentence. The library then emits a metric for each request (`streamed:
 * false`), and one more for the whole text (`streamed: true`), in any order, with the id of one of the requests. Only
 * the requests are booked.
 */
function repetitions(session: voice.AgentSession) {
  const streamedBy = new Map<string, boolean>();
  return ({ label, requestId, streamed }: metricsTypes.TTSMetrics): boolean => {
    const used = ttsOf(session);
    if (used instanceof FallbackTts && label === used.label) return true;
    const models = used instanceof FallbackTts ? used.models : used ? [used] : [];
    if (models.some((one) => one.label === `tts.StreamAdapter<${label}>`)) return streamed;
    const model = models.find((one) => one.label === label);
    if (model) return streamed && !model.capabilities.streaming;
    // A model that is no longer the session's: the first metric with an id decides which kind counts.
    const first = streamedBy.get(requestId) ?? streamed;
    if (requestId) streamedBy.set(requestId, first);
    return first !== streamed;
  };
}

/** An agent's own TTS has priority over its session's, which has no agent before it starts and after it ends. */
function ttsOf(session: voice.AgentSession): tts.TTS | undefined {
  try {
    return session.currentAgent.tts ?? session.tts;
  } catch {
    return session.tts;
  }
}

/** Usage of a model, in the booked units. A model that does not name itself is `unknown` in the ledger. */
export function usedBy(metrics: AgentMetrics): Used[] {
  const { modelProvider, modelName } = ('metadata' in metrics && metrics.metadata) || {};
  const [provider, model] = [providerName(modelProvider), modelName || 'unknown'];
  const counts = countsOf(metrics).filter(([, quantity]) => Number(quantity) > 0);
  return counts.map(([unit, quantity, of = '']) => {
    return { provider, model: model + of, unit, quantity: String(quantity) };
  });
}

/** A unit, its quantity, and a suffix for the model's name. */
type Count = [unit: Unit, quantity: number | string, of?: string];

function countsOf(metrics: AgentMetrics): Count[] {
  switch (metrics.type) {
    case 'stt_metrics':
      return [['stt_minutes', minutes(metrics.audioDurationMs)]];
    case 'tts_metrics':
      return [['tts_characters', metrics.charactersCount]];
    case 'llm_metrics':
      return tokens(metrics.promptTokens, metrics.promptCachedTokens, outputOf(metrics));
    case 'realtime_model_metrics':
      return realtimeTokens(metrics);
    default:
      return [];
  }
}

/** With the tokens of a model's thoughts, which cost the same: some providers count them in the total alone. */
export const outputOf = (counts: { promptTokens: number; completionTokens: number; totalTokens: number }) =>
  Math.max(counts.completionTokens, counts.totalTokens - counts.promptTokens);

/** Speech tokens have separate prices: their model is `<name>:audio`. */
function realtimeTokens(metrics: metricsTypes.RealtimeModelMetrics): Count[] {
  const { inputTokens, inputTokenDetails, outputTokenDetails } = metrics;
  const counts = {
    promptTokens: inputTokens,
    completionTokens: metrics.outputTokens,
    totalTokens: metrics.totalTokens,
  };
  const { cachedTokens, cachedTokensDetails } = inputTokenDetails;
  const [heard, said] = [inputTokenDetails.audioTokens, outputTokenDetails.audioTokens];
  // Without details, the instructions are assumed to be cached first.
  const cachedAudio = cachedTokensDetails?.audioTokens ?? Math.max(0, cachedTokens - (inputTokens - heard));
  return [
    ...tokens(inputTokens - heard, cachedTokens - cachedAudio, outputOf(counts) - said),
    ...tokens(heard, cachedAudio, said, ':audio'),
  ];
}

// Cached input tokens are included in the input tokens, and cost less.
function tokens(input: number, cached: number, output: number, of = ''): Count[] {
  return [
    ['llm_input_tokens', input - cached, of],
    ['llm_cached_tokens', cached, of],
    ['llm_output_tokens', output, of],
  ];
}
