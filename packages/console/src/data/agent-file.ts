import type { Agent, AgentCreate, AgentType } from '@switchboard/client';
import { AGENT_TYPES } from './agent-types.ts';
import { isObject } from './config-paths.ts';
import { saveFile } from './save-file.ts';

/** Names the format, so that other JSON is not taken for an agent. */
const FORMAT = 'switchboard.agent/1';

/** An agent without what belongs to its installation. */
export type PortableAgent = Omit<AgentCreate, 'user_id' | 'is_active'> & { config: Record<string, unknown> };

/** The text of an agent's file. */
export function toAgentFile({ name, description, type, config }: Agent): string {
  return `${JSON.stringify({ format: FORMAT, name, description, type, config }, null, 2)}\n`;
}

/** The agent in a file. Throws an `Error` that says why it is none. */
export function readAgentFile(text: string): PortableAgent {
  const file = parse(text);
  if (!isObject(file) || file.format !== FORMAT)
    throw new Error(`This is not the file of an agent: its "format" is not "${FORMAT}".`);
  const { name, description, type, config } = file;
  if (typeof name !== 'string' || name.trim() === '') throw new Error('The agent in the file has no name.');
  if (!isObject(config)) throw new Error('The agent in the file has no configuration.');
  return {
    name,
    config,
    ...(typeof description === 'string' && { description }),
    ...(typeof type === 'string' && Object.hasOwn(AGENT_TYPES, type) && { type: type as AgentType }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('This is not the file of an agent: it is not JSON.');
  }
}

/** Downloads an agent as a file. */
export function saveAgentFile(agent: Agent): void {
  const name = agent.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'agent';
  saveFile(new Blob([toAgentFile(agent)], { type: 'application/json' }), `${name}.agent.json`);
}
