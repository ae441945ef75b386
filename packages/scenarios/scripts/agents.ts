import { readFileSync } from 'node:fs';
import { createSwitchboard, SwitchboardError } from '@switchboard/client';
import { TEMPLATES } from '@switchboard/templates';
import type { Scenario } from '../src/schema.ts';

type Config = Record<string, unknown>;

export interface Source {
  /** An agent's file, for all scenarios. */
  file: string | null;
  /** The service that has the agents that scenarios name by id or by external key. */
  service: { url: string; key: string | null; user: string | null } | null;
  /** Instead of the version that a scenario names. */
  version: number | 'draft' | null;
}

/** Finds the configurations of agents. */
export function createAgents({ file, service, version }: Source) {
  const given = file === null ? null : configIn(file);
  const known = new Map<string, Promise<Config>>();
  const switchboard = service && clientOf(service);

  /** The configuration that a scenario tests. Throws an `Error` that says why there is none. */
  async function configOf({ agent = {} }: Scenario): Promise<Config> {
    if (given) return given;
    const { id, key } = agent;
    if (id === undefined && key === undefined)
      throw new Error('names no agent: give its id or its key, or --agent FILE');
    const wanted = version ?? agent.version ?? 'draft';
    const name = `${id ?? `key ${key}`}/${wanted}`;
    const found = known.get(name) ?? (id === undefined ? byKey(key ?? '', wanted) : read(id, wanted));
    known.set(name, found);
    return found;
  }

  /** An agent of the service by its external key, or else a template. */
  async function byKey(key: string, wanted: number | 'draft'): Promise<Config> {
    const agent = switchboard && (await switchboard.agents.byExternalKey(key).catch(noneIfMissing));
    if (agent) return read(agent.id, wanted);
    const template = TEMPLATES.find((one) => one.key === key);
    if (template) return template.config;
    const where = switchboard ? 'no external key in the service, and ' : '';
    throw new Error(`names the agent "${key}", which is ${where}none of ${TEMPLATES.map((one) => one.key).join(', ')}`);
  }

  async function read(id: string, wanted: number | 'draft'): Promise<Config> {
    if (!switchboard) throw new Error('names an agent by its id, which needs --url');
    return wanted === 'draft'
      ? (await switchboard.drafts.get(id)).config
      : (await switchboard.versions.get(id, wanted)).config;
  }

  /**
   * The agent of the service that a scenario tests; null if its configuration is from a file or a template, or there is
   * no service.
   */
  async function inService({ agent = {} }: Scenario) {
    if (given || !switchboard) return null;
    const { id, key } = agent;
    const found = id ?? (key === undefined ? null : await switchboard.agents.byExternalKey(key).catch(noneIfMissing));
    const of = typeof found === 'string' ? found : found?.id;
    return of === undefined ? null : { id: of, version: version ?? agent.version ?? ('draft' as const) };
  }

  return { configOf, inService, switchboard };
}

function clientOf({ url, key, user }: NonNullable<Source['service']>) {
  return createSwitchboard({
    baseUrl: url,
    ...(key !== null && { apiKey: key }),
    ...(user !== null && { userId: user }),
  });
}

function noneIfMissing(error: unknown): null {
  if (error instanceof SwitchboardError && error.status === 404) return null;
  throw error;
}

/** The configuration in an agent's file, as the console exports it. Throws an `Error`. */
function configIn(file: string): Config {
  const { config } = JSON.parse(readFileSync(file, 'utf8')) as { config?: unknown };
  if (typeof config !== 'object' || config === null) throw new Error(`${file} has no "config"`);
  return config as Config;
}
