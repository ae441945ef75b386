import { llm, voice } from '@livekit/agents';
import { ofSpeech } from './sounds.ts';

/** Errors of what speaks, by the library's names. */
const VOICE_ERRORS = ['tts_error', 'realtime_model_error'];

/**
 * Says a text. A realtime model has no separate voice: it is instructed to say the text, and may change the words.
 * Otherwise the library throws, and the caller would have neither greeting nor call.
 */
export function say(
  session: voice.AgentSession,
  text: string,
  options: { allowInterruptions?: boolean } = {},
): voice.SpeechHandle {
  if (session.tts || !(session.llm instanceof llm.RealtimeModel)) return session.say(text, options);
  const instructions = `Say exactly this, word for word, and nothing else: ${JSON.stringify(text)}`;
  return session.generateReply({ instructions, ...options });
}

/** How words that nobody can interrupt were said. */
export interface Said {
  speech: voice.SpeechHandle;
  /** When their first sound was played; null if not a sound of them was made. */
  began: Date | null;
  isComplete: boolean;
}

/**
 * Says a text that nobody can interrupt, and tells how: the library ends a speech in the same way if its voice has
 * failed, or sends nothing any more for ten seconds. `done` is called at once when it has ended, also when the call
 * does.
 */
export function sayWhole(
  session: Pick<voice.AgentSession, 'say' | 'generateReply' | 'tts' | 'llm' | 'on' | 'off'>,
  text: string,
  done: (said: Said) => void = () => {},
): Promise<Said> {
  const { AgentStateChanged, Error: Failed } = voice.AgentSessionEventTypes;
  const { promise, resolve } = Promise.withResolvers<Said>();
  let began: Date | null = null;
  let hasFailed = false;
  const voices = { unended: 0 };
  const speech = ofSpeech.run(voices, () => say(session as voice.AgentSession, text, { allowInterruptions: false }));
  const onState = ({ newState }: { newState: voice.AgentState }) => {
    if (newState === 'speaking') began ??= new Date();
  };
  const onError = ({ error }: { error: unknown }) => {
    const { type, recoverable } = error as { type?: string; recoverable?: boolean };
    hasFailed ||= VOICE_ERRORS.includes(type ?? '') && recoverable !== true;
  };
  session.on(AgentStateChanged, onState);
  session.on(Failed, onError);
  speech.addDoneCallback(() => {
    session.off(AgentStateChanged, onState);
    session.off(Failed, onError);
    const isWhole = voices.unended === 0 && !hasFailed && !speech.interrupted;
    const said = { speech, began, isComplete: began !== null && isWhole };
    done(said);
    resolve(said);
  });
  return promise;
}

/** Speech that must not be interrupted is said to its end first, unless it is forced to end. */
export function interrupt(session: Pick<voice.AgentSession, 'interrupt'>, options: { force?: boolean } = {}): void {
  try {
    session.interrupt(options);
  } catch {
    // Nothing is said in a session that closes.
  }
}
