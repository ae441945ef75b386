import type { Numbers } from '../../calling/numbers/numbers.ts';
import type { Agents } from '../../conversations/agents/agents.ts';
import type { Sessions } from '../../conversations/sessions/sessions.ts';
import { holdsAnything } from '../../db/legal-holds.ts';
import type { Db } from '../../db/tables.ts';
import type { Feature, Step, Subject } from '../../feature.ts';
import type { Usage } from '../../ledger/usage/usage.ts';
import { AppError } from '../../lib/errors.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { finishErasure, lockErasure } from './store.ts';

export type Steps = ReturnType<typeof createSteps>;

/** Sessions per transaction, so that calls of other users are not blocked. */
const SESSIONS_AT_ONCE = 200;

interface Deps extends Pick<Platform, 'db' | 'clock'> {
  agents: Agents;
  sessions: Sessions;
  numbers: Numbers;
  usage: Usage;
  /** Every feature, in the order in which its data is deleted. */
  features: () => Feature[];
}

/** Another process has finished the erasure: anything the user has created since is new. */
export const FINISHED = new Error('the erasure is finished');

/** Throws `legal_hold` if anything of the user is under one. */
export async function assertNotHeld(db: Db, user_id: string): Promise<void> {
  if (await holdsAnything(db, user_id)) throw new AppError('legal_hold');
}

/**
 * The steps of an erasure. Each finds its work by the user's id and removes that id, so that it can be repeated from
 * the start. Each step that changes rows is a transaction that locks the erasure's own row, and throws `FINISHED` if
 * there is nothing left to erase.
 */
export function createSteps({ db, clock, agents, sessions, numbers, usage, features }: Deps) {
  function step<T>({ user_id, pseudonym }: Subject, work: (trx: Db) => Promise<T>): Promise<T> {
    return db.transaction().execute(async (trx) => {
      const { finished_at } = await lockErasure(trx, pseudonym);
      if (finished_at) throw FINISHED;
      await assertNotHeld(trx, user_id);
      return work(trx);
    });
  }

  /** Ends the user's live sessions and releases its numbers, calling `renewLease` before each. */
  async function release({ user_id }: Subject, actor: Actor, renewLease: () => Promise<void>): Promise<void> {
    for (const status of ['CREATED', 'ACTIVE'] as const) {
      for (;;) {
        const { items } = await sessions.list({ user_id, status }, { limit: SESSIONS_AT_ONCE, after: null });
        if (items.length === 0) break;
        for (const session of items) {
          await renewLease();
          await sessions.end(session, 'ended_by_user');
        }
      }
    }
    for (const agent of await agents.numbered(user_id)) {
      await renewLease();
      await numbers.release(agent.id, user_id, actor);
    }
  }

  /** Deletes what is outside of the database, and in parts what may be much. */
  async function eraseLarge(subject: Subject, renewLease: () => Promise<void>): Promise<void> {
    const oneStep: Step = async (work) => {
      await renewLease();
      return step(subject, work);
    };
    for (const { erase } of features()) {
      await erase?.outside?.(subject, oneStep);
      const part = erase?.part;
      while (part && (await oneStep((trx) => part(trx, subject))));
    }
  }

  /** Erases some sessions of the user with their data; false if there were none. */
  function eraseSessions(subject: Subject): Promise<boolean> {
    return step(subject, async (trx) => {
      const found = await sessions.lockSome(trx, subject.user_id, SESSIONS_AT_ONCE);
      const ids = found.map(({ id }) => id);
      const room_names = found.map(({ room_name }) => room_name);
      for (const { erase } of features()) await erase?.sessions?.(trx, { ids, room_names });
      await sessions.erase(trx, ids, subject.pseudonym);
      return ids.length > 0;
    });
  }

  /** Replaces the user with the pseudonym in some ledger entries and reports; false after the last. */
  function pseudonymiseUsage(subject: Subject): Promise<boolean> {
    return step(subject, (trx) => usage.pseudonymizeSome(trx, subject.user_id, subject.pseudonym));
  }

  /** The last step; null if something was added meanwhile, so that the earlier steps must be repeated. */
  function finish(subject: Subject): Promise<Date | null> {
    const { user_id, pseudonym } = subject;
    return step(subject, async (trx) => {
      // Placing calls and assigning numbers lock their agent, so none is in progress now.
      const held = await agents.lockAll(trx, user_id);
      if (await numbers.isAnyAssigned(trx, held)) throw new AppError('number_busy');
      if (await sessions.hasAny(trx, user_id)) return null;
      await usage.pseudonymize(trx, user_id, pseudonym);
      await agents.erase(trx, user_id, pseudonym);
      for (const { erase } of features()) {
        while (await erase?.part?.(trx, subject));
        await erase?.user?.(trx, subject);
      }
      // One that was opened meanwhile is encrypted with the key that is gone now.
      if (await sessions.hasAny(trx, user_id)) throw new AppError('user_active');
      const finished_at = clock.now();
      await finishErasure(trx, pseudonym, finished_at);
      return finished_at;
    });
  }

  return { release, eraseLarge, eraseSessions, pseudonymiseUsage, finish };
}
