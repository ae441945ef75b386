import { isDeepStrictEqual } from 'node:util';
import type { AgentType } from '../../db/agent-tables.ts';
import type { JsonObject } from '../../lib/json.ts';

/** The part of an agent that a version has. */
export interface Content {
  name: string;
  description: string | null;
  type: AgentType;
  config: JsonObject;
}

/** The content alone, of anything that has it. */
export function contentOf({ name, description, type, config }: Content): Content {
  return { name, description, type, config };
}

/** Whether both say the same; the order of fields does not matter. */
export function isSame(one: Content, other: Content): boolean {
  return isDeepStrictEqual(contentOf(one), contentOf(other));
}

/**
 * The agent's default type: the part of a voice pipeline if its configuration names exactly one, otherwise PIPELINE.
 */
export function agentType(config: JsonObject): AgentType {
  const parts = (['stt', 'llm', 'tts'] as const).filter((part) => Object.hasOwn(config, part));
  return parts.length === 1 && parts[0] ? (parts[0].toUpperCase() as AgentType) : 'PIPELINE';
}
