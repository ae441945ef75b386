import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createSwitchboard, SwitchboardError } from '@switchboard/client';
import { TEMPLATES } from '@switchboard/templates';
import type { Scenario } from '../src/schema.ts';

type Config = Record<string, unknown>;
type Version = number | 'draft';
/** Whatever says which agent it tests. */
type Asking = Pick<Scenario, 'agent'>;

export interface Source {
  /** An agent's file, for all scenarios. */
  file: string | null;
  /** The service that has the agents that scenarios name by id or by external key. */
  service: { url: string; key: string | null; user: string | null } | null;
  /** Instead of the version that a scenario names. */
  version: Version | null;
}

const NAMELESS = 'names no agent: give its id or its key, or --agent FILE';

/** Finds the configurations of agents. */
export function createAgents({ file, service, version }: Source) {
  const given = file === null ? null : configIn(file);
  const known = new Map<string, Promise<Config>>();
  const switchboard = service && clientOf(service);

  /** The configuration that a scenario tests. Throws an `Error` that says why there is none. */
  async function configOf({ agent = {} }: Asking): Promise<Config> {
    if (given) return given;
    const { id, key } = agent;
    if (id === undefined && key === undefined) throw new Error(NAMELESS);
    const wanted = version ?? agent.version ?? 'draft';
    const name = `${id ?? `key ${key}`}/${wanted}`;
    const found = known.get(name) ?? (id === undefined ? byKey(key ?? '', wanted) : read(id, wanted));
    known.set(name, found);
    return found;
  }

  /** An agent of the service by its external key, or else a template. */
  async function byKey(key: string, wanted: Version): Promise<Config> {
    const agent = switchboard && (await switchboard.agents.byExternalKey(key).catch(noneIfMissing));
    if (agent) return read(agent.id, wanted);
    const template = TEMPLATES.find((one) => one.key === key);
    if (template) return template.config;
    const where = switchboard ? 'no external key in the service, and ' : '';
    throw new Error(`names the agent "${key}", which is ${where}none of ${TEMPLATES.map((one) => one.key).join(', ')}`);
  }

  async function read(id: string, wanted: Version): Promise<Config> {
    if (!switchboard) throw new Error('names an agent by its id, which needs --url');
    return wanted === 'draft'
      ? (await switchboard.drafts.get(id)).config
      : (await switchboard.versions.get(id, wanted)).config;
  }

  return { configOf };
}

interface InService {
  file: string | null;
  service: Source['service'];
  version: Version | null;
  /** Whether the keys of templates name agents, too. */
  hasTemplates: boolean;
}

/** Finds agents in a service, and adds those of files and templates to it, until `close`. */
export function createAgentsInService({ file, service, version, hasTemplates }: InService) {
  if (!service) throw new Error('There is no service.');
  const switchboard = clientOf(service);
  const user_id = service.user ?? '';
  const given = file === null ? null : { name: path.basename(file), config: configIn(file) };
  const known = new Map<string, Promise<string>>();
  const added: string[] = [];

  /** The agent that a scenario tests, and the version. Throws an `Error` that says why there is none. */
  async function find({ agent = {} }: Asking): Promise<{ id: string; version: Version }> {
    if (given) return { id: await once(given.name, () => add(given.name, given.config)), version: 1 };
    const { id, key } = agent;
    const wanted = version ?? agent.version ?? 'draft';
    if (id !== undefined) return { id, version: wanted };
    if (key === undefined) throw new Error(NAMELESS);
    return { id: await once(key, () => byKey(key)), version: wanted };
  }

  function once(name: string, ask: () => Promise<string>): Promise<string> {
    const found = known.get(name) ?? ask();
    known.set(name, found);
    return found;
  }

  async function byKey(key: string): Promise<string> {
    const found = await switchboard.agents.byExternalKey(key).catch(noneIfMissing);
    if (found) return found.id;
    const template = TEMPLATES.find((one) => one.key === key);
    if (template && hasTemplates) return add(template.name, template.config);
    const hint = template ? '; a template is tested without --url, or with --rules' : '';
    throw new Error(`names the agent "${key}", which is no external key in the service${hint}`);
  }

  async function add(name: string, config: Config): Promise<string> {
    const { id } = await switchboard.agents.create({ name: `${name} (agent-tests)`, user_id, config });
    added.push(id);
    return id;
  }

  /** Deletes the agents that were added; says which it could not. */
  async function close(): Promise<void> {
    for (const id of added)
      await switchboard.agents.delete(id).catch((error: Error) => {
        console.error(`The agent ${id}, which was added for the tests, is still there: ${error.message}`);
      });
  }

  return { find, close, switchboard };
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
