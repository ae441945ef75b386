import type { Answer } from './world.ts';

/** A call of a tool that the agent has made. */
export interface ToolCall extends Answer {
  name: string;
  arguments: Record<string, unknown>;
}

/** One turn of the agent. */
export interface Spoken {
  words: string;
  calls: ToolCall[];
  /** Until the first word, in milliseconds; null if nothing was said. */
  first_word_ms: number | null;
  /** The agent has ended the call, or handed it over. */
  ends: 'agent_hung_up' | 'transferred' | null;
}

/** The scenario, as the agent that it tests sees it. */
export interface Surroundings {
  /**
   * Plays a tool, which is given up after `timeoutMs` (10 seconds without). Tools of the call itself (`hang_up`,
   * `transfer`, `send_dtmf`) are answered as they would be.
   */
  callTool(name: string, args: Record<string, unknown>, timeoutMs?: number): Answer;
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
  /** Its costs so far, as a decimal. */
  cost(): string;
}
