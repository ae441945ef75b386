import type { AgentConfig } from '@switchboard/client';

/** An agent to begin with. */
export interface Template {
  /** Its name in files: scenarios ask for it by this. */
  key: string;
  name: string;
  description: string;
  /** Features of the agent, in a word or two each. */
  shows: string[];
  config: AgentConfig;
}

/** The models of the templates. */
export const MODELS: Pick<AgentConfig, 'language' | 'stt' | 'llm' | 'tts'> = {
  language: 'en-US',
  stt: { provider: 'deepgram', model: 'nova-3' },
  llm: { provider: 'openai', model: 'gpt-4.1-mini', temperature: 0.4 },
  tts: { provider: 'cartesia', model: 'sonic-3' },
};

/** How agents of the templates talk. */
export const MANNER = `# How you talk
- Speak for the ear: short sentences, without lists, headings or emoji.
- Ask one question at a time, and wait for the answer.
- Say numbers, dates and times as people say them: "half past two", "the third of May".
- Repeat names, phone numbers and email addresses back before you rely on them. If a line is bad, ask for it to be spelled.
- If you did not understand, say so and ask again. After two attempts, offer another way.
- You are an automated assistant. Say so if you are asked, and never claim to be a person.`;
