import { lockHolds } from '../../db/legal-holds.ts';
import type { Db } from '../../db/tables.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Agent } from './store.ts';

interface Deps extends Pick<Platform, 'db' | 'audit'> {
  /** Throws `not_found`. */
  get: (id: string, caller: string | null) => Promise<Agent>;
  /** The same inside a transaction, locked until it ends. */
  lock: (trx: Db, id: string, caller: string | null) => Promise<Agent>;
  touch: (trx: Db, before: Agent, change: { legal_hold: boolean }) => Promise<Agent>;
}

/** Legal holds of single agents; those of users are with their erasure. */
export function createLegalHolds({ db, audit, get, lock, touch }: Deps) {
  return {
    legalHold: async (id: string, caller: string | null) => view(await get(id, caller)),
    setLegalHold: (id: string, legal_hold: boolean, caller: string | null, actor: Actor) =>
      db.transaction().execute(async (trx) => {
        await lockHolds(trx);
        const before = await lock(trx, id, caller);
        const { user_id } = before;
        const both = { before: { legal_hold: before.legal_hold }, after: { legal_hold } };
        await audit.record(trx, actor, 'legal_hold.changed', `agent/${before.id}`, { user_id, ...both });
        return view(await touch(trx, before, { legal_hold }));
      }),
  };
}

const view = ({ id, legal_hold }: Agent) => ({ agent_id: id, legal_hold });
