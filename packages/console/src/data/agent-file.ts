import type { Agent, AgentCreate, AgentType, JsonObject } from '@switchboard/client';
import { AGENT_TYPES } from './agent-types.ts';
import { isObject } from './config-paths.ts';
import { saveFile } from './save-file.ts';

/** Names the format, so that other JSON is not taken for an agent. */
const FORMAT = 'switchboard.agent/1';

/** An agent without what belongs to its installation. */
export type PortableAgent = Omit<AgentCreate, 'user_id' | 'is_active'> & { config: JsonObject };

/** The content of a file: the external key names the same agent in another installation. */
export type AgentFile = PortableAgent & { external_key: string | null };

/** The text of an agent's file. */
export function toAgentFile({ name, description, type, config }: Agent, external_key: string | null): string {
  const key = external_key === null ? {} : { external_key };
  return `${JSON.stringify({ format: FORMAT, ...key, name, description, type, config }, null, 2)}\n`;
}

/** The agent in a file. Throws an `Error` that says why it is none. */
export function readAgentFile(text: string): AgentFile {
  const file = parse(text);
  if (!isObject(file) || file.format !== FORMAT)
    throw new Error(`This is not the file of an agent: its "format" is not "${FORMAT}".`);
  const { name, description, type, config, external_key = null } = file;
  if (typeof name !== 'string' || name.trim() === '') throw new Error('The agent in the file has no name.');
  if (!isObject(config)) throw new Error('The agent in the file has no configuration.');
  if (external_key !== null && typeof external_key !== 'string')
    throw new Error('The external key in the file is no text.');
  return {
    name,
    config,
    external_key,
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
export function saveAgentFile(agent: Agent, external_key: string | null): void {
  const name = agent.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'agent';
  saveFile(new Blob([toAgentFile(agent, external_key)], { type: 'application/json' }), `${name}.agent.json`);
}
