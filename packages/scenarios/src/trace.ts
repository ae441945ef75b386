import type { Spoken } from './agent.ts';

export type EndReason = 'caller_hung_up' | 'agent_hung_up' | 'transferred' | 'script_over' | 'failed';

/** One exchange: what was heard, what the agent did about it, and when. */
export interface TraceTurn extends Omit<Spoken, 'ends'> {
  /** Milliseconds of the virtual clock since the conversation began. */
  at_ms: number;
  /** The caller's words, or keys that were pressed; null when the agent began, or the caller was silent. */
  heard: string | null;
  interrupted: boolean;
  /** From the end of the caller's speech until its first sound reached the caller; by voice only, null if none did. */
  first_audio_ms?: number | null;
}

/** A conversation as it went. */
export interface Trace {
  turns: TraceTurn[];
  end_reason: EndReason;
  /** Why the conversation failed. */
  error: string | null;
  world: Record<string, unknown>;
  /** Null if a price is not known. */
  cost: string | null;
  duration_ms: number;
  /** Rules have answered in place of a model. */
  by_rules?: true;
}
