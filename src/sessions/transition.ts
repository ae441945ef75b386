import type { Database } from '../db/database.ts';
import { createGroupCommit } from '../db/group-commit.ts';
import type { Db } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { advance, latest, type Signal } from './lifecycle.ts';
import type { Session } from './store.ts';
import { isLocked, type Lock, lockSessions, saveStates } from './transition-store.ts';

/** A signal to a session, and columns that are written together with the state it leads to. */
export interface Change {
  id: string;
  signal: Signal;
  columns?: Pick<Session, 'transferred_to' | 'transfer_type' | 'transfer_timestamp'>;
}

/** A session before and after a change of its state. */
export interface Transition {
  before: Session;
  after: Session;
}

/**
 * Changes sessions in an open transaction. For each change, in order: the transition, or null where the signal changes
 * nothing.
 */
export type Apply = (changes: Change[]) => Promise<(Transition | null)[]>;

/** Runs in the transaction of the transitions: an error undoes them. */
export type Listener = (trx: Db, transitions: Transition[]) => Promise<void>;

/** Runs after the commit, for each transition. It must not throw. */
export type AfterCommit = (transition: Transition) => void;

interface Deps {
  db: Database['db'];
  clock: Clock;
  listeners: Listener[];
  afterCommit: AfterCommit[];
}

/** Changes that share one commit, and changes that may queue for theirs. */
const MOST = { at_once: 200, waiting: 100_000 };

/** The only place where the state of a session changes. */
export function createTransitions({ db, clock, listeners, afterCommit }: Deps) {
  /** Locks the sessions, advances them, writes their rows and timelines, and calls the listeners. */
  async function transition(trx: Db, changes: Change[], lock: Lock): Promise<(Transition | null)[]> {
    const current = new Map<string, Session>();
    for (const session of await lockSessions(trx, changes, lock)) current.set(session.id, session);
    const results = changes.map((change) => {
      const before = current.get(change.id);
      const next = before && advance(before, change.signal);
      if (!next) return null;
      const updated_at = latest(clock.now(), before.updated_at);
      const after = { ...before, ...next, ...change.columns, updated_at, last_event: before.last_event + 1 };
      current.set(change.id, after);
      return { before, after };
    });
    const transitions = results.filter((result) => result !== null);
    if (transitions.length === 0) return results;
    await saveStates(
      trx,
      transitions.map(({ after }) => after),
    );
    for (const listener of listeners) await listener(trx, transitions);
    return results;
  }

  /** Runs `work` in a transaction in which it may change sessions; the after-commit actions follow its commit. */
  async function transact<T>(work: (trx: Db, apply: Apply) => Promise<T>, lock: Lock = 'wait'): Promise<T> {
    const committed: Transition[] = [];
    const result = await db.transaction().execute((trx) =>
      work(trx, async (changes) => {
        const results = await transition(trx, changes, lock);
        committed.push(...results.filter((one) => one !== null));
        return results;
      }),
    );
    for (const one of committed) for (const act of afterCommit) act(one);
    return result;
  }

  const changeTogether = createGroupCommit<Change, Transition | null>({
    doAll: (changes) => transact((_trx, apply) => apply(changes), 'nowait'),
    most: MOST,
  });

  /** Changes one session; changes that arrive at the same time share a commit. */
  async function change(one: Change): Promise<Transition | null> {
    try {
      return await changeTogether(one);
    } catch (error) {
      if (!isLocked(error)) throw error;
      // Waits for the lock in a transaction of its own, where it holds up no other change.
      const [result] = await transact((_trx, apply) => apply([one]));
      return result ?? null;
    }
  }

  return { transact, change };
}
