import { type Static, Type } from 'typebox';
import type { Agents } from '../../conversations/agents/agents.ts';
import type { Db } from '../../db/tables.ts';
import type { Subject } from '../../feature.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Kind, Task } from '../../work/kinds.ts';
import type { Runner } from '../../work/runner.ts';
import type { UserUpdate } from './schema.ts';
import { assertNotHeld, FINISHED, type Steps } from './steps.ts';
import { type Erasure, findErasure, finishedAt, insertErasure, isUserHeld, setHold, userOf } from './store.ts';

export type Erasures = ReturnType<typeof createErasures>;

/** Limits the rounds for a user who keeps opening sessions. */
const ROUNDS = 5;
const KIND = 'erasure';
/** The actor that asked for it, which the audit log names whichever process goes on. */
const Payload = Type.Object({ actor: Type.Unsafe<Actor>(Type.Object({ actor: Type.String() })) });
/** When another process begins an erasure that a request has recorded and then not run. */
const TAKEOVER_MS = 60_000;
/** How long a request waits for an erasure that another process runs, and how often it checks. */
const PATIENCE_MS = 60_000;
const POLL_INTERVAL_MS = 100;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit' | 'work'> {
  agents: Agents;
  steps: Steps;
  runner: Runner;
}

/**
 * Erases users: deletes personal data and keeps costs under an unlinkable pseudonym. One erasure of a user at a time,
 * over all replicas.
 */
export function createErasures({ db, clock, audit, agents, steps, work, runner }: Deps) {
  /**
   * Ends the user's calls, releases its numbers, and erases it. Recorded first, so that an erasure that is interrupted
   * by a crash or by a failing provider (whose error this throws) goes on. A repeated request waits for the same
   * erasure, or throws `erasure_in_progress` after a minute. Throws `legal_hold`, which stops one in progress, too.
   */
  async function erase(user_id: string, actor: Actor): Promise<{ pseudonym: string; erased_at: Date }> {
    const { pseudonym } = await begin(user_id, actor);
    for (const begun = clock.now().getTime(); ; await clock.sleep(POLL_INTERVAL_MS)) {
      // Nothing to run while another process has it, or when it has finished.
      await runner.runOne(KIND, pseudonym);
      const erased_at = await finishedAt(db, pseudonym);
      if (erased_at) return { pseudonym, erased_at };
      if (clock.now().getTime() - begun > PATIENCE_MS) throw new AppError('erasure_in_progress');
    }
  }

  async function begin(user_id: string, actor: Actor): Promise<Erasure> {
    const pseudonym = `erased-${newId()}`;
    const begun = await db.transaction().execute(async (trx) => {
      // Locks the erasure's own row first, like every step: of two requests one waits here.
      const inserted = await insertErasure(trx, { pseudonym, user_id, requested_at: clock.now() });
      if (!inserted) return undefined;
      await assertNotHeld(trx, user_id);
      await agents.lockAll(trx, user_id);
      await agents.stop(trx, user_id);
      await audit.record(trx, actor, 'user.erased', `user/${pseudonym}`);
      const due_at = new Date(clock.now().getTime() + TAKEOVER_MS);
      const payload: Static<typeof Payload> = { actor };
      await work.add(trx, [{ kind: KIND, key: pseudonym, payload, due_at }]);
      return inserted;
    });
    return begun ?? (await findErasure(db, user_id)) ?? begin(user_id, actor);
  }

  /** Runs the erasure to its end; another process may have finished it. */
  async function run({ key: pseudonym, payload, renew }: Task<Static<typeof Payload>>): Promise<null> {
    const user_id = await userOf(db, pseudonym);
    if (user_id === null) return null;
    const renewLease = async () => {
      await renew();
      // Another process may have finished while this one was held up: what the user creates since then stays.
      if (await finishedAt(db, pseudonym)) throw FINISHED;
      // Tried again later, like a provider that fails: it goes on once the hold is lifted.
      await assertNotHeld(db, user_id);
    };
    try {
      await runSteps({ user_id, pseudonym }, payload.actor, renewLease);
    } catch (error) {
      if (error !== FINISHED) throw error;
    }
    return null;
  }

  async function runSteps(subject: Subject, actor: Actor, renewLease: () => Promise<void>): Promise<Date> {
    for (let round = 0; round < ROUNDS; round++) {
      await renewLease();
      await steps.release(subject, actor, renewLease);
      await steps.eraseLarge(subject, renewLease);
      for (let isMore = true; isMore; isMore = await steps.eraseSessions(subject)) await renewLease();
      for (let isMore = true; isMore; isMore = await steps.pseudonymiseUsage(subject)) await renewLease();
      const finished_at = await steps.finish(subject);
      if (finished_at) return finished_at;
    }
    throw new AppError('user_active');
  }

  /** Sets or lifts the legal hold of a user, and sets or removes what is not kept of its conversations. */
  function update(user_id: string, { legal_hold, privacy }: Static<typeof UserUpdate>, actor: Actor) {
    return db.transaction().execute(async (trx) => {
      if (legal_hold !== undefined) await hold(trx, user_id, legal_hold, actor);
      if (privacy !== undefined) await agents.setPrivacy(trx, user_id, privacy, actor);
      return shown(user_id, trx);
    });
  }

  async function hold(trx: Db, user_id: string, legal_hold: boolean, actor: Actor): Promise<void> {
    const wasHeld = await setHold(trx, user_id, legal_hold ? clock.now() : null);
    const change = { user_id, before: { legal_hold: wasHeld }, after: { legal_hold } };
    await audit.record(trx, actor, 'legal_hold.changed', 'user', change);
  }

  const shown = async (user_id: string, within: Db = db) => ({
    user_id,
    legal_hold: await isUserHeld(within, user_id),
    privacy: await agents.privacyOf(user_id, within),
  });
  const kind: Kind<typeof Payload> = { payload: Payload, run };

  return { erase, update, shown, kinds: { [KIND]: kind } };
}
