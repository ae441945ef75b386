import { asksToStop } from '@switchboard/rules/opt-out';
import { OPT_OUT_TOOL, PHRASES, type Spoken, type Surroundings, type TestedAgent } from './agent.ts';

/** The parts of a configuration that decide when an agent speaks of its own accord, with variables in their texts. */
export interface Flow {
  /** Null for an agent that waits for the caller's first words. */
  greeting: string | null;
  voicemail: { action: 'hang_up' | 'leave_message' | 'continue'; message: string | null } | null;
  silence: { timeoutMs: number; message: string; maxPrompts: number } | null;
  compliance: {
    /** The first words of an outbound call; null for none. */
    disclosure: string | null;
    /** The answer to somebody who does not want to be called any more; null for an agent that takes no refusals. */
    optOut: string | null;
  };
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

/**
 * The way of a call around its answers: the agent tells what must be said first, greets, does not talk to machines,
 * takes refusals of further calls, and asks a silent caller.
 */
export function createCallFlow(
  { greeting, voicemail, silence, compliance }: Flow,
  mind: Mind,
  around: Pick<Surroundings, 'callTool' | 'isOutbound'>,
) {
  const isOutbound = around.isOutbound || voicemail !== null;
  const first = [isOutbound ? compliance.disclosure : null, greeting];
  const { optOut } = compliance;
  let isAnswered = voicemail === null;
  let prompts = 0;

  /** Says words of the configuration. */
  async function say(words: (string | null)[], ends: Spoken['ends'] = null): Promise<Spoken> {
    const said = words.flatMap((one) => one || []);
    for (const one of said) await mind.remember('assistant', one);
    return { ...NOTHING, words: said.join(' '), first_word_ms: said.length > 0 ? 0 : null, ends };
  }

  async function answered(words: string): Promise<Spoken> {
    isAnswered = true;
    const who = await mind.answeredBy(words);
    const isRecorded = voicemail?.action === 'leave_message' && who === 'voicemail' && voicemail.message;
    if (who !== 'human' && voicemail?.action !== 'continue')
      return say(isRecorded ? [compliance.disclosure, voicemail.message] : [], 'agent_hung_up');
    if (optOut !== null && asksToStop(words)) return refused(words, optOut);
    if (first.every((one) => !one)) return answer(words);
    await mind.remember('user', words);
    return say(first);
  }

  /**
   * The service hears that somebody wants no more calls: it has the agent confirm that, and hang up, even if the
   * scenario has the tool fail.
   */
  async function refused(words: string, confirm: string): Promise<Spoken> {
    await mind.remember('user', words);
    const calls = [{ name: OPT_OUT_TOOL, arguments: {}, ...around.callTool(OPT_OUT_TOOL, {}) }];
    const decisions = [{ model: PHRASES, words: '', calls: [OPT_OUT_TOOL], ms: 0 }];
    return { ...(await say([confirm], 'agent_hung_up')), calls, decisions };
  }

  /** The model's answer; if it takes the words for a refusal, it is confirmed like one that the service has found. */
  async function answer(words: string): Promise<Spoken> {
    const spoken = await mind.answer(words);
    if (optOut === null || !spoken.calls.some(({ name, isError }) => name === OPT_OUT_TOOL && !isError)) return spoken;
    const confirmed = await say([optOut], 'agent_hung_up');
    const said = [spoken.words, confirmed.words].filter(Boolean).join(' ');
    return {
      ...spoken,
      words: said,
      first_word_ms: spoken.first_word_ms ?? confirmed.first_word_ms,
      ends: confirmed.ends,
    };
  }

  const hear = (words: string): Promise<Spoken> => {
    prompts = 0;
    if (!isAnswered) return answered(words);
    return optOut !== null && asksToStop(words) ? refused(words, optOut) : answer(words);
  };

  return {
    open: async () => (isAnswered && first.some(Boolean) ? say(first) : null),
    hear,
    press: (keys) => hear(`[pressed ${keys}]`),
    silence: silence && {
      ms: silence.timeoutMs,
      act: () => (prompts++ < silence.maxPrompts ? say([silence.message]) : say([], 'agent_hung_up')),
    },
  } satisfies Partial<TestedAgent>;
}

const NOTHING: Spoken = { words: '', calls: [], decisions: [], first_word_ms: null, ends: null };
