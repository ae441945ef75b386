import type { Spoken, TestedAgent } from './agent.ts';

/** The parts of a configuration that decide when an agent speaks of its own accord, with variables in their texts. */
export interface Flow {
  /** Null for an agent that waits for the caller's first words. */
  greeting: string | null;
  voicemail: { action: 'hang_up' | 'leave_message' | 'continue'; message: string | null } | null;
  silence: { timeoutMs: number; message: string; maxPrompts: number } | null;
}

/** The one at the other end of an outbound call; `unavailable` is a machine that takes no message. */
type AnsweredBy = 'human' | 'voicemail' | 'unavailable';

const MACHINES: Record<string, AnsweredBy> = { 'machine-vm': 'voicemail', 'machine-unavailable': 'unavailable' };

/** The meaning of a prediction. Phone menus and doubtful ones are talked to, as in a call. */
export const answeredBy = (label: unknown): AnsweredBy => MACHINES[String(label)] ?? 'human';

/** Whatever thinks for the agent. */
interface Mind {
  /** Adds words to the conversation that it knows. */
  remember(role: 'user' | 'assistant', words: string): void | Promise<void>;
  /** Answers the caller. */
  answer(words: string): Promise<Spoken>;
  /** Tells by the first words who has answered the phone. */
  answeredBy(words: string): Promise<AnsweredBy>;
}

/** The way of a call around its answers: the agent greets, does not talk to machines, and asks a silent caller. */
export function createCallFlow({ greeting, voicemail, silence }: Flow, mind: Mind) {
  let isAnswered = voicemail === null;
  let prompts = 0;

  /** Says words of the configuration. */
  async function say(words: string, ends: Spoken['ends'] = null): Promise<Spoken> {
    if (words) await mind.remember('assistant', words);
    return { words, calls: [], decisions: [], first_word_ms: words ? 0 : null, ends };
  }

  async function answered(words: string): Promise<Spoken> {
    isAnswered = true;
    const who = await mind.answeredBy(words);
    const isRecorded = voicemail?.action === 'leave_message' && who === 'voicemail';
    if (who !== 'human' && voicemail?.action !== 'continue')
      return say(isRecorded ? (voicemail?.message ?? '') : '', 'agent_hung_up');
    if (!greeting) return mind.answer(words);
    await mind.remember('user', words);
    return say(greeting);
  }

  const hear = (words: string): Promise<Spoken> => {
    prompts = 0;
    return isAnswered ? mind.answer(words) : answered(words);
  };

  return {
    open: async () => (greeting && isAnswered ? say(greeting) : null),
    hear,
    press: (keys) => hear(`[pressed ${keys}]`),
    silence: silence && {
      ms: silence.timeoutMs,
      act: () => (prompts++ < silence.maxPrompts ? say(silence.message) : say('', 'agent_hung_up')),
    },
  } satisfies Partial<TestedAgent>;
}
