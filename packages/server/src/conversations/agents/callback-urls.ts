import type { Db } from '../../db/tables.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { type Agent, findCallbackUrl } from './store.ts';

interface Deps extends Pick<Platform, 'db' | 'audit'> {
  /** Throws `not_found`. */
  get: (id: string, caller: string | null) => Promise<Agent>;
  /** The same inside a transaction, locked until it ends. */
  lock: (trx: Db, id: string, caller: string | null) => Promise<Agent>;
  touch: (trx: Db, before: Agent, change: { callback_url: string | null }) => Promise<Agent>;
}

/** The callback URLs of agents' calls. */
export function createCallbackUrls({ db, audit, get, lock, touch }: Deps) {
  return {
    /** The default callback URL of the agent's calls. */
    callbackUrl: async (id: string, caller: string | null) => {
      const agent = await get(id, caller);
      return { agent_id: agent.id, callback_url: await findCallbackUrl(db, agent.id) };
    },
    /** Sets the callback URL of future calls; null removes it. */
    setCallbackUrl: async (id: string, callback_url: string | null, caller: string | null, actor: Actor) => {
      const agent = await db.transaction().execute(async (trx) => {
        const earlier = await lock(trx, id, caller);
        const { user_id, callback_url: before } = earlier;
        const change = { user_id, before: { callback_url: before }, after: { callback_url } };
        await audit.record(trx, actor, 'agent.callback_url_changed', `agent/${earlier.id}`, change);
        return touch(trx, earlier, { callback_url });
      });
      return { agent_id: agent.id, callback_url };
    },
  };
}
