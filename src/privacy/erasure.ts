import type { Agents } from '../agents/agents.ts';
import type { Audit } from '../audit/audit.ts';
import type { Callbacks } from '../callbacks/callbacks.ts';
import type { Secrets } from '../callbacks/secrets.ts';
import type { Calls } from '../calls/calls.ts';
import type { Transfers } from '../calls/transfer.ts';
import type { Database } from '../db/database.ts';
import { forgetAnswersOf } from '../db/idempotency.ts';
import type { Keys } from '../keys/keys.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { Logger } from '../lib/log.ts';
import type { Actor } from '../lib/principal.ts';
import type { MediaEvents } from '../media-events/media-events.ts';
import type { Numbers } from '../numbers/numbers.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Transcripts } from '../sessions/transcripts.ts';
import type { Usage } from '../usage/usage.ts';
import { type Erasure, findErasure, finishErasure, insertErasure, listUnfinished } from './store.ts';

export type Erasures = ReturnType<typeof createErasures>;

/** Sessions erased in one transaction: calls of other users go on meanwhile. */
const SESSIONS_AT_ONCE = 200;
/** A user who goes on opening sessions would keep an erasure from its end for ever. */
const ROUNDS = 5;
const REPAIR: Actor = { actor: 'repair', user_id: null, ip: null };

interface Deps {
  db: Database['db'];
  clock: Clock;
  log: Logger;
  audit: Audit;
  keys: Keys;
  agents: Agents;
  sessions: Sessions;
  transcripts: Transcripts;
  usage: Usage;
  callbacks: Callbacks;
  secrets: Secrets;
  numbers: Numbers;
  calls: Calls;
  transfers: Transfers;
  mediaEvents: MediaEvents;
}

/** Erases users: what is personal goes, what was spent stays under a pseudonym that leads nowhere. */
export function createErasures(deps: Deps) {
  const { db, clock, log, audit, agents, sessions, numbers } = deps;
  /** Pseudonyms of the erasures that this process carries out. */
  const underWay = new Set<string>();

  /**
   * Ends the user's calls, releases its numbers, and erases it. Written down first: what is interrupted, by a crash or by a provider
   * that fails (whose error this throws), is carried on by `resume`.
   */
  async function erase(user_id: string, actor: Actor): Promise<{ pseudonym: string; erased_at: Date }> {
    const erasure = await begin(user_id, actor);
    return { pseudonym: erasure.pseudonym, erased_at: await carryOut(user_id, erasure.pseudonym, actor) };
  }

  async function begin(user_id: string, actor: Actor): Promise<Erasure> {
    const pseudonym = `erased-${newId()}`;
    const begun = await db.transaction().execute(async (trx) => {
      await agents.stop(trx, user_id);
      const inserted = await insertErasure(trx, { pseudonym, user_id, requested_at: clock.now() });
      if (inserted) await audit.record(trx, actor, 'user.erased', `user/${pseudonym}`);
      return inserted;
    });
    return begun ?? (await findErasure(db, user_id)) ?? begin(user_id, actor);
  }

  // Every step finds its own work by the user's id, and takes the id away: it can be repeated from the start.
  async function carryOut(user_id: string, pseudonym: string, actor: Actor): Promise<Date> {
    underWay.add(pseudonym);
    try {
      for (let round = 0; round < ROUNDS; round++) {
        await endLiveSessions(user_id);
        for (const agent of await agents.list(user_id)) {
          if (agent.phone_number !== null) await numbers.release(agent.id, user_id, actor);
        }
        while (await eraseSessions(user_id, pseudonym));
        while (await deps.usage.pseudonymiseSome(user_id, pseudonym));
        const finished_at = await finish(user_id, pseudonym);
        if (finished_at) return finished_at;
      }
      throw new AppError('user_active');
    } finally {
      underWay.delete(pseudonym);
    }
  }

  /** The last step; null when something has come meanwhile, and the steps before are to be done again. */
  function finish(user_id: string, pseudonym: string): Promise<Date | null> {
    const finished_at = clock.now();
    return db.transaction().execute(async (trx) => {
      // Calls, and assignments of numbers, lock their agent: none of them is half made now.
      const held = await agents.lockAll(trx, user_id);
      if (await numbers.isAnyAssigned(trx, held)) throw new AppError('number_busy');
      if (await sessions.hasAny(trx, user_id)) return null;
      await deps.usage.pseudonymise(trx, user_id, pseudonym);
      await agents.erase(trx, user_id, pseudonym);
      await deps.callbacks.eraseEndpoints(trx, user_id);
      await deps.secrets.erase(trx, user_id);
      await deps.keys.deleteOf(trx, user_id);
      await deps.calls.eraseAllowance(trx, user_id);
      await forgetAnswersOf(trx, user_id);
      await audit.pseudonymise(trx, user_id, pseudonym);
      await finishErasure(trx, pseudonym, finished_at);
      return finished_at;
    });
  }

  async function endLiveSessions(user_id: string): Promise<void> {
    for (const status of ['CREATED', 'ACTIVE'] as const) {
      for (;;) {
        const { items } = await sessions.list({ user_id, status }, { limit: SESSIONS_AT_ONCE, after: null });
        if (items.length === 0) break;
        for (const session of items) await sessions.end(session, 'ended_by_user');
      }
    }
  }

  /** Erases some sessions of the user, with all that hangs on them; false when there were none. */
  function eraseSessions(user_id: string, pseudonym: string): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const found = await sessions.lockSome(trx, user_id, SESSIONS_AT_ONCE);
      const ids = found.map(({ id }) => id);
      await deps.mediaEvents.eraseRooms(
        trx,
        found.map(({ room_name }) => room_name),
      );
      await deps.transcripts.erase(trx, ids);
      await deps.transfers.erase(trx, ids);
      await deps.callbacks.erase(trx, ids);
      await sessions.erase(trx, ids, pseudonym);
      return ids.length > 0;
    });
  }

  /** Carries on erasures that were interrupted. */
  async function resume(): Promise<void> {
    for (const { user_id, pseudonym } of await listUnfinished(db)) {
      if (user_id === null || underWay.has(pseudonym)) continue;
      await carryOut(user_id, pseudonym, REPAIR).catch((err: unknown) =>
        log.error({ err, pseudonym }, 'an erasure failed; it will be carried on'),
      );
    }
  }

  return { erase, resume };
}
