import { llm, type voice } from '@livekit/agents';

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

/** Speech that must not be interrupted is said to its end first, unless it is forced to end. */
export function interrupt(session: Pick<voice.AgentSession, 'interrupt'>, options: { force?: boolean } = {}): void {
  try {
    session.interrupt(options);
  } catch {
    // Nothing is said in a session that closes.
  }
}
