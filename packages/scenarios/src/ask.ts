/** A question to a language model beside the agent's: one that plays the caller, or judges. */
export interface Question {
  /** Settings of a model, as in an agent's `config.llm`; null for the agent's own. */
  model: Record<string, unknown> | null;
  messages: { role: 'system' | 'user' | 'assistant'; content: string }[];
  tool: { name: string; description: string; parameters: JsonObjectSchema };
  /** Whether the tool must be called. */
  mustCall: boolean;
}

interface JsonObjectSchema {
  type: 'object';
  properties: Record<string, object>;
  required?: string[];
  additionalProperties?: boolean;
}

export interface Answered {
  text: string;
  /** Arguments of the tool, if it was called. */
  call: Record<string, unknown> | null;
}

/** Asks a model. Rejects with `NotHeld` if there is none, or it does not answer. */
export type Ask = (question: Question) => Promise<Answered>;
