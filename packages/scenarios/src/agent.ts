import type { Entry } from './keys.ts';
import type { Answer } from './world.ts';

/** A call of a tool that the agent has made. */
export interface ToolCall extends Answer {
  name: string;
  arguments: Record<string, unknown>;
}

/** One answer of whatever thinks for the agent, of which a turn has several if tools are called. */
export interface Decision {
  /** `rules`, or a provider and its model, as in `openai/gpt-4.1-mini`. */
  model: string;
  words: string;
  /** Names of the tools to be called. */
  calls: string[];
  /** How long it took, in milliseconds of the real clock. */
  ms: number;
}

/** One turn of the agent. */
export interface Spoken {
  words: string;
  calls: ToolCall[];
  /** In their order; none for words of the configuration, such as a greeting. */
  decisions: Decision[];
  /** Until the first word, in milliseconds; null if nothing was said. */
  first_word_ms: number | null;
  /** The agent has ended the call, or handed it over. */
  ends: 'agent_hung_up' | 'transferred' | null;
}

/** The scenario, as the agent that it tests sees it. */
export interface Surroundings {
  /**
   * Plays a tool, which is given up after `timeoutMs` (10 seconds without). Tools of the call itself (`hang_up`,
   * `transfer`, `send_dtmf`, `never_call_again`) are answered as they would be.
   */
  callTool(name: string, args: Record<string, unknown>, timeoutMs?: number): Answer;
  /**
   * Takes the keys that the caller presses next, for a tool that waits for some; null for one that the scenario plays.
   */
  enter(name: string, entry: Entry): Answer | null;
  /** The line says who has answered: the agent has called. */
  isOutbound: boolean;
  /** The virtual time. */
  now(): Date;
  /** The time zone of the scenario's clock, as `Intl` takes it. */
  timeZone: string;
}

/** An agent in a conversation of a scenario, whatever thinks for it. Its methods are called one after the other. */
export interface TestedAgent {
  /** How it begins; null if it waits for the caller. */
  open(): Promise<Spoken | null>;
  hear(words: string): Promise<Spoken>;
  /** Keys that the caller presses. */
  press(keys: string): Promise<Spoken>;
  /** Speaks of its own accord when nobody has spoken for `ms`; an agent without this waits for ever. */
  silence?: { ms: number; act(): Promise<Spoken> } | null;
  /** Rules answer in place of its model. */
  byRules?: true;
  /** Its costs so far, as a decimal; null if a price is not known. */
  cost(): string | null;
  /** Lets go of what it holds, once the conversation is over. */
  close?(): Promise<void>;
}

/**
 * The conversation could not be held, for a reason that is not the agent's: its provider does not answer, or a key is
 * missing. It says nothing about the agent, and ends the run.
 */
export class NotHeld extends Error {}

/** The tool of an agent that takes refusals of further calls (`compliance.opt_out`). */
export const OPT_OUT_TOOL = 'never_call_again';

/** The name by which a trace tells that the service has found a refusal in the words, whatever the model does. */
export const PHRASES = 'opt-out phrases';

/** The end of the call that a tool has brought about. */
export function endOf({ name, isError }: ToolCall): Spoken['ends'] {
  if (isError) return null;
  if (name === 'hang_up' || name === OPT_OUT_TOOL) return 'agent_hung_up';
  return name === 'transfer' ? 'transferred' : null;
}
