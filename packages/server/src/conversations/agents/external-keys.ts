import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { textProblem } from '../../lib/json.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { type Agent, findByExternalKey, lockList } from './store.ts';

interface Deps extends Pick<Platform, 'db' | 'audit'> {
  /** Throws `not_found`. */
  get: (id: string, caller: string | null) => Promise<Agent>;
  /** The same inside a transaction, locked until it ends. */
  lock: (trx: Db, id: string, caller: string | null) => Promise<Agent>;
  touch: (trx: Db, before: Agent, change: { external_key: string | null }) => Promise<Agent>;
}

/** Names by which a user's files and scripts refer to agents. */
export function createExternalKeys({ db, audit, get, lock, touch }: Deps) {
  return {
    externalKey: async (id: string, caller: string | null) => view(await get(id, caller)),
    /** The user's agent with this key. Throws `not_found`. */
    byExternalKey: async (external_key: string, user_id: string) => {
      const agent = textProblem(external_key) ? undefined : await findByExternalKey(db, user_id, external_key);
      if (!agent) throw new AppError('not_found');
      return agent;
    },
    /** Null removes it. Throws `external_key_taken` if another agent of the user has it. */
    setExternalKey: async (id: string, external_key: string | null, caller: string | null, actor: Actor) =>
      db.transaction().execute(async (trx) => {
        const before = await lock(trx, id, caller);
        const { user_id } = before;
        // Two agents that ask for the same key at once wait for each other here.
        await lockList(trx, user_id);
        const holder = external_key === null ? undefined : await findByExternalKey(trx, user_id, external_key);
        if (holder && holder.id !== before.id)
          throw new AppError('external_key_taken', { detail: `Agent ${holder.id} has this key.` });
        const both = { before: { external_key: before.external_key }, after: { external_key } };
        await audit.record(trx, actor, 'agent.external_key_changed', `agent/${before.id}`, { user_id, ...both });
        return view(await touch(trx, before, { external_key }));
      }),
  };
}

const view = ({ id, external_key }: Agent) => ({ agent_id: id, external_key });
