import { readFileSync } from 'node:fs';
import { createSwitchboard } from '@switchboard/client';
import { TEMPLATES } from '@switchboard/templates';
import type { Scenario } from '../src/schema.ts';

type Config = Record<string, unknown>;

export interface Source {
  /** An agent's file, for all scenarios. */
  file: string | null;
  /** The service that has the agents that scenarios name by id. */
  service: { url: string; key: string | null; user: string | null } | null;
  /** Instead of the version that a scenario names. */
  version: number | 'draft' | null;
}

/** Finds the configurations of agents. */
export function createAgents({ file, service, version }: Source) {
  const given = file === null ? null : configIn(file);
  const known = new Map<string, Promise<Config>>();

  /** The configuration that a scenario tests. Throws an `Error` that says why there is none. */
  async function configOf({ agent = {} }: Scenario): Promise<Config> {
    if (given) return given;
    const { id, key } = agent;
    if (id !== undefined) {
      const wanted = version ?? agent.version ?? 'draft';
      const name = `${id}/${wanted}`;
      const found = known.get(name) ?? read(id, wanted);
      known.set(name, found);
      return found;
    }
    const template = TEMPLATES.find((one) => one.key === key);
    if (template) return template.config;
    if (key === undefined) throw new Error('names no agent: give its id or its key, or --agent FILE');
    throw new Error(`names the agent "${key}", which is none of ${TEMPLATES.map((one) => one.key).join(', ')}`);
  }

  async function read(id: string, wanted: number | 'draft'): Promise<Config> {
    if (!service) throw new Error('names an agent by its id, which needs --url');
    const { url, key, user } = service;
    const switchboard = createSwitchboard({
      baseUrl: url,
      ...(key !== null && { apiKey: key }),
      ...(user !== null && { userId: user }),
    });
    return wanted === 'draft'
      ? (await switchboard.drafts.get(id)).config
      : (await switchboard.versions.get(id, wanted)).config;
  }

  return { configOf };
}

/** The configuration in an agent's file, as the console exports it. Throws an `Error`. */
function configIn(file: string): Config {
  const { config } = JSON.parse(readFileSync(file, 'utf8')) as { config?: unknown };
  if (typeof config !== 'object' || config === null) throw new Error(`${file} has no "config"`);
  return config as Config;
}
