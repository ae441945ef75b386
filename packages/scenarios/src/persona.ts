/** A caller whose words a language model chooses. */
import type { Ask, Question } from './ask.ts';
import type { Scenario } from './schema.ts';

export type Persona = NonNullable<Scenario['caller']['persona']>;

/** A caller's next step. */
export interface CallerTurn {
  /** Empty for a caller who says nothing. */
  words: string;
  hangs_up: boolean;
}

export interface SimulatedCaller {
  /** Hears the agent's words, which are empty if it has said nothing. */
  next(heard: string): Promise<CallerTurn>;
}

/** Makes a caller for each conversation, because callers remember theirs. */
export type MakeCaller = (persona: Persona) => SimulatedCaller;

/** Turns of a caller who does not hang up. */
export const MAX_CALLER_TURNS = 20;
const SILENCE = '(silence)';

const HANG_UP: Question['tool'] = {
  name: 'hang_up',
  description: 'Hangs up. Say goodbye in the same answer.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
};

/** Callers who are played by a language model. */
export function createCallers(ask: Ask): MakeCaller {
  return (persona) => {
    const messages: Question['messages'] = [{ role: 'system', content: roleOf(persona) }];
    return {
      async next(heard) {
        messages.push({ role: 'user', content: heard.trim() || SILENCE });
        const model = persona.model ?? null;
        const { text, call } = await ask({ model, messages: [...messages], tool: HANG_UP, mustCall: false });
        const words = text.trim();
        messages.push({ role: 'assistant', content: words || SILENCE });
        return { words, hangs_up: call !== null };
      },
    };
  };
}

function roleOf({ goal, facts = {}, manner }: Persona): string {
  const known = Object.entries(facts).map(([name, value]) => `- ${name}: ${textOf(value)}`);
  return [
    'You play a person who is on the phone with the assistant of a company. The messages are what the assistant says.',
    `What you want: ${goal}`,
    ...(known.length > 0 ? ['What you know about yourself:', ...known] : []),
    ...(manner === undefined ? [] : [`How you talk: ${manner}`]),
    'Answer with what this person says next and nothing else: one or two short sentences, as people speak. Tell what you',
    'know when you are asked for it, and invent nothing: what is not listed above, you do not know. Never say that you',
    'play a part, and never talk as the assistant.',
    'Once you have what you want, or cannot get it, say goodbye and call hang_up.',
  ].join('\n');
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
