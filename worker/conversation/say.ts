import { llm, type voice } from '@livekit/agents';

/**
 * Says a text. A realtime model has no other voice beside it: it is told to say the text, and may change the words.
 * Without that the library throws, and a caller would have no greeting and no call.
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
