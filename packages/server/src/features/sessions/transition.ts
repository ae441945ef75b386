import type { Database } from '../../db/database.ts';
import { createGroupCommit } from '../../db/group-commit.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { advance, latest, type Signal } from './lifecycle.ts';
import type { Session } from './store.ts';
import { type Lock, type LockedSession, lockSessions, saveStates } from './transition-store.ts';

/** A signal to a session, and columns that are written together with the new state. */
export interface Change {
  id: string;
  signal: Signal;
  columns?: Pick<Session, 'transferred_to' | 'transfer_type' | 'transfer_timestamp'>;
}

/** A session before and after a change of its state. */
export interface Transition {
  before: Session;
  after: Session;
  /** Whether the user has an active webhook endpoint. */
  has_endpoints: boolean;
}

/**
 * Changes sessions in an open transaction. Returns for each change, in order, the transition, null if the signal
 * changes nothing, or undefined if there is no such session.
 */
export type Apply = (changes: Change[]) => Promise<(Transition | null | undefined)[]>;

/** Runs in the transaction of the transitions; an error rolls them back. */
export type Listener = (trx: Db, transitions: Transition[]) => Promise<void>;

/** Runs after the commit, for each transition. It must not throw. */
export type AfterCommit = (transition: Transition) => void;

interface Deps {
  db: Database['db'];
  clock: Clock;
  listeners: Listener[];
  afterCommit: AfterCommit[];
}

/** Changes per commit, and changes that may queue. */
const LIMITS = { batch_size: 200, queue_depth: 100_000 };

/** The only place where the state of a session changes. */
export function createTransitions({ db, clock, listeners, afterCommit }: Deps) {
  /** Locks the sessions, advances them, writes their rows and timelines, and calls the listeners. */
  async function transition(trx: Db, changes: Change[], lock: Lock): ReturnType<Apply> {
    const current = new Map<string, LockedSession>();
    for (const session of await lockSessions(trx, changes, lock)) current.set(session.id, session);
    const results = changes.map((change) => {
      const before = current.get(change.id);
      if (!before) return undefined;
      const next = advance(before, change.signal);
      if (!next) return null;
      const updated_at = latest(clock.now(), before.updated_at);
      const after = { ...before, ...next, ...change.columns, updated_at, last_event: before.last_event + 1 };
      current.set(change.id, after);
      return { before, after, has_endpoints: before.has_endpoints };
    });
    const transitions = results.filter((result) => result != null);
    if (transitions.length === 0) return results;
    await saveStates(
      trx,
      transitions.map(({ after }) => after),
    );
    for (const listener of listeners) await listener(trx, transitions);
    return results;
  }

  async function commit<T>(lock: Lock, work: (trx: Db, apply: Apply) => Promise<T>): Promise<T> {
    const committed: Transition[] = [];
    const result = await db.transaction().execute((trx) =>
      work(trx, async (changes) => {
        const results = await transition(trx, changes, lock);
        committed.push(...results.filter((one) => one != null));
        return results;
      }),
    );
    for (const one of committed) for (const act of afterCommit) act(one);
    return result;
  }

  /** Runs `work` in a transaction in which it may change sessions; the after-commit actions follow its commit. */
  function transact<T>(work: (trx: Db, apply: Apply) => Promise<T>): Promise<T> {
    return commit('wait', work);
  }

  // A locked session is skipped: waiting for it would delay the whole batch, and failing the batch would need a
  // transaction for each session.
  const changeInBatch = createGroupCommit<Change, Transition | null | undefined>({
    runBatch: (changes) => commit('skip', (_trx, apply) => apply(changes)),
    limits: LIMITS,
  });

  /** Changes one session; concurrent changes share a commit. */
  async function change(one: Change): Promise<Transition | null> {
    const result = await changeInBatch(one);
    if (result !== undefined) return result;
    const [late] = await transact((_trx, apply) => apply([one]));
    return late ?? null;
  }

  return { transact, change };
}
