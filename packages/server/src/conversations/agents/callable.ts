import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { isId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { chooseArm } from './arms.ts';
import { type Agent, type Callable, findAgentByNumber, findCallable, listExisting, shareAgents } from './store.ts';

/** A call to be placed: its agent, and what decides about the version that it gets. */
interface Wanted {
  id: string;
  user_id: string;
  /** One version, whatever is released. */
  version?: number | null | undefined;
  /** The phone at the other end; absent in a browser, and if it is withheld. */
  number?: string | null | undefined;
}

/** Agents as calls get them: with the name and configuration of one version. */
export function createCallable(db: Db) {
  return {
    share,
    /** The agent that a number is assigned to, if any; as it is shown. */
    holderOf: (phone_number: string): Promise<Agent | undefined> => findAgentByNumber(db, phone_number),
    /** The same for a call from `caller`; null if it withholds its number. */
    findByNumber: async (phone_number: string, caller: string | null): Promise<Callable | undefined> => {
      const found = await findAgentByNumber(db, phone_number);
      return found && released(found, caller);
    },
    /**
     * The agent for a call or a conversation. Throws `not_found` for an id that is unknown, malformed or another
     * user's, and `InvalidFields` for a version that it does not have.
     */
    forOne: async (wanted: Wanted): Promise<Callable> => {
      const { id, version } = wanted;
      const found = isId(id) ? await findCallable(db, id, typeof version === 'number' ? [version] : []) : undefined;
      const agent = chosen(found, wanted);
      if (agent instanceof Error) throw agent;
      return agent;
    },
    /** The agent at the version of a session; as it is now if it has none. Undefined once the agent is deleted. */
    ofSession: async (of: Of) => (await byNumber(db, of))?.(null),
    /** The agent as the calls of a campaign to each number get it; undefined once it is deleted. */
    ofCampaign: (of: Of) => byNumber(db, of),
  };
}

interface Of {
  agent_id: string | null;
  agent_version: number | null;
}

async function byNumber(db: Db, { agent_id, agent_version }: Of) {
  const versions = agent_version === null ? [] : [agent_version];
  const found = agent_id === null ? undefined : await findCallable(db, agent_id, versions);
  return found && ((number: string | null): Callable => atVersion(found, agent_version) ?? released(found, number));
}

/**
 * Locks agents for new calls of these users: until the transaction ends, changes of the agents and erasures wait.
 * For each, `not_found` if it does not exist, and null if it is being changed and `isPatient` is not set.
 */
async function share(trx: Db, wanted: Wanted[], isPatient: boolean): Promise<(Callable | Error | null)[]> {
  const ids = [...new Set(wanted.flatMap(({ id }) => (isId(id) ? id.toLowerCase() : [])))];
  const versions = [...new Set(wanted.flatMap(({ version }) => version ?? []))];
  const found = new Map((await shareAgents(trx, ids, versions, isPatient)).map((agent) => [agent.id, agent]));
  const missing = ids.filter((id) => !found.has(id));
  const changing = isPatient || missing.length === 0 ? null : await listExisting(trx, missing);
  return wanted.map((one) => {
    const id = one.id.toLowerCase();
    return changing?.has(id) ? null : chosen(found.get(id), one);
  });
}

/** The agent at the version that is wanted, or that the release gives. */
function chosen(agent: Callable | undefined, { user_id, version, number }: Wanted): Callable | Error {
  if (agent?.user_id !== user_id) return new AppError('not_found');
  if (typeof version !== 'number') return released(agent, number ?? null);
  const msg = 'Input should be a version of the agent';
  return (
    atVersion(agent, version) ?? new InvalidFields({ field: 'agent_version', msg, type: 'value_error', input: version })
  );
}

/** The agent at the version that the release gives a call with this number. */
function released(agent: Callable, number: string | null): Callable {
  const { id, arms, sticky_by } = agent;
  if (arms === null) return agent;
  return atVersion(agent, chooseArm(arms, id, sticky_by === 'number' ? number : null)) ?? agent;
}

function atVersion(agent: Callable, version: number | null): Callable | undefined {
  if (version === agent.version) return agent;
  const content = agent.contents?.[String(version)];
  return content && { ...agent, ...content, version };
}
