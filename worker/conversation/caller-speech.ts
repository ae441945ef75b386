import { llm, VADEventType, voice } from '@livekit/agents';
import { readFrames } from './frames.ts';
import { createSpeechDetector } from './speech-detector.ts';

/** Called when the caller begins to speak, and when they end: with the milliseconds since their last sound. */
type Listener = (isSpeaking: boolean, silentMs: number) => void;

export type CallerSpeech = ReturnType<typeof followCaller>;

/**
 * Follows when the caller speaks. Some realtime models say so only once they reply: beside them our own detector
 * listens. `stop` ends it.
 */
export function followCaller(session: voice.AgentSession) {
  const listeners = new Set<Listener>();
  let isSpeaking = session.userState === 'speaking';
  let changedAt = Date.now();
  const change: Listener = (is, silentMs) => {
    isSpeaking = is;
    changedAt = Date.now();
    for (const listener of listeners) listener(is, silentMs);
  };
  const stop = isNoticedByUs(session) ? detect(session, change) : watch(session, change);
  return {
    isSpeaking: () => isSpeaking,
    /** When they began or ended last; noticed late by what the detection takes to let go. */
    changedAt: () => changedAt,
    on: (listener: Listener): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop,
  };
}

const isNoticedByUs = ({ llm: model }: voice.AgentSession): boolean => model instanceof llm.RealtimeModel;

function watch(session: voice.AgentSession, change: Listener): () => void {
  const onState = ({ newState }: { newState: voice.UserState }) => change(newState === 'speaking', 0);
  session.on(voice.AgentSessionEventTypes.UserStateChanged, onState);
  return () => session.off(voice.AgentSessionEventTypes.UserStateChanged, onState);
}

function detect(session: voice.AgentSession, change: Listener): () => void {
  const stream = createSpeechDetector().stream();
  let isStopped = false;
  const stopReading = readFrames(session._subscribeAudioStream(), (frame) => {
    if (!isStopped) stream.pushFrame(frame);
  });
  async function report(): Promise<void> {
    for await (const { type, silenceDuration } of stream) {
      if (isStopped) return;
      if (type === VADEventType.START_OF_SPEECH) change(true, 0);
      else if (type === VADEventType.END_OF_SPEECH) change(false, silenceDuration);
    }
  }
  report().catch(() => {});
  return () => {
    isStopped = true;
    stream.close();
    stopReading();
  };
}
