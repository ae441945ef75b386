import type { Db } from '../../db/tables.ts';
import { isId } from '../../lib/ids.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { owned } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { createCallable } from './callable.ts';
import { createCallbackUrls } from './callback-urls.ts';
import { createChanges, type History } from './changes.ts';
import { agentType, type Content, contentOf, isSame } from './content.ts';
import { createExternalKeys } from './external-keys.ts';
import { namedIn, pinExtractors, pinnedIn } from './extractor-pins.ts';
import { createLegalHolds } from './legal-holds.ts';
import {
  type Agent,
  agentNames,
  agentOwners,
  type Callable,
  eraseAgents,
  findAgent,
  listAgents,
  listFewAgents,
  listNumbered,
  listUsers,
  lockAgent,
  lockAgentsOf,
  numberHolders,
  stopAgents,
  updateAgent,
} from './store.ts';
import { createUserPrivacy } from './user-privacy.ts';

export {
  type Agent,
  agentType,
  type Callable,
  type Content,
  contentOf,
  type History,
  isSame,
  namedIn,
  pinExtractors,
  pinnedIn,
};
export type Agents = ReturnType<typeof createAgents>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit'> {
  history: History;
}

/**
 * Operations on agents. `caller` is the calling user, or null if none is named; a named user does not find the agents
 * of others.
 */
export function createAgents({ db, clock, audit, history }: Deps) {
  /** Throws `not_found` for an id that is unknown, malformed, deleted or another user's. */
  async function get(id: string, caller: string | null): Promise<Agent> {
    return owned(isId(id) ? await findAgent(db, id) : undefined, caller);
  }

  /** The same inside a transaction, locked until it ends. */
  async function lock(trx: Db, id: string, caller: string | null): Promise<Agent> {
    return owned(isId(id) ? await lockAgent(trx, id) : undefined, caller);
  }

  const changes = createChanges({ db, clock, audit, history, lock });
  return {
    get,
    lock,
    ...changes,
    ...createCallbackUrls({ db, audit, get, lock, touch: changes.touch }),
    ...createExternalKeys({ db, audit, get, lock, touch: changes.touch }),
    ...createLegalHolds({ db, audit, get, lock, touch: changes.touch }),
    ...createUserPrivacy({ db, audit }),
    ...createCallable(db),
    /** All of a user's agents, newest first; null where they are so many or so large that they are read in parts. */
    list: (user_id: string) => listFewAgents(db, user_id),
    /** Some of them, after the one with the id `after`. */
    listPart: async (user_id: string, after: string | null) => {
      const items = await listAgents(db, user_id, after);
      const last = items.at(-1);
      return { items, next: last && last.found > items.length ? last.id : null };
    },
    /** Those that have phone numbers. */
    numbered: (user_id: string) => listNumbered(db, user_id),
    /** Users that have agents, filtered by prefix. */
    users: async (prefix: string, { limit, after }: PageRequest) => {
      const users = await listUsers(db, prefix, after, limit);
      return toPage(users, limit, ({ user_id }) => user_id);
    },
    /** The owners of these numbers' agents, by number. */
    numberHolders,
    /** Names by id; deleted agents have none. */
    names: (ids: string[]) => agentNames(db, ids),
    /** Anonymizes a user's agents: they are deleted and belong to the pseudonym. */
    erase: (trx: Db, user_id: string, pseudonym: string) => eraseAgents(trx, user_id, pseudonym, clock.now()),
    /** Deactivates a user's agents, so that they take no more calls. */
    stop: (trx: Db, user_id: string) => stopAgents(trx, user_id, clock.now()),
    /** A user's agents, including deleted ones, locked until the transaction ends. */
    lockAll: lockAgentsOf,
    /** User ids by agent id. */
    owners: (ids: string[]) => agentOwners(db, ids),
    /** Stores the number that `numbers` assigned; null removes it. */
    setNumber: (trx: Db, id: string, number: { phone_number: string; carrier_sid: string } | null) =>
      updateAgent(trx, id, {
        phone_number: number?.phone_number ?? null,
        carrier_sid: number?.carrier_sid ?? null,
        updated_at: clock.now(),
      }),
  };
}
