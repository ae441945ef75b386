import type { Content } from '../../access/data-keys/content.ts';
import { createGroupCommit } from '../../db/group-commit.ts';
import type { Db } from '../../db/tables.ts';
import { newId } from '../../lib/ids.ts';
import type { Platform } from '../../platform.ts';
import { advance, isFinal, latest, type Signal } from './lifecycle.ts';
import type { Session } from './store.ts';
import {
  insertSessions,
  type Lock,
  type LockedSession,
  lockSessions,
  type NewSession,
  type SipDialog,
  saveStates,
} from './transition-store.ts';

/**
 * A signal, or an end that only begins with this change: whoever is hung up talks on until then, or has left before, so
 * that it is dated once the session is locked.
 */
type Undated = Omit<Extract<Signal, { kind: 'ended' }>, 'at'> & { at?: never };

/** A signal to a session, and columns that are written together with the new state. */
export interface Change {
  id: string;
  signal: Signal | Undated;
  columns?:
    | Pick<Session, 'transferred_to' | 'transfer_type' | 'transfer_timestamp'>
    | Pick<Session, 'trunks'>
    | SipDialog;
}

/** A session before and after a change of its state. */
export interface Transition {
  before: Session;
  after: Session;
  /** When that happened, which may be earlier than when this service learned of it. */
  at: Date;
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

/**
 * Runs after the commit, for each session that has ended; must not fail. `apply` waits for it if the signal is `ended`,
 * not if it is `failed`.
 */
export type AfterEnd = (session: Session) => void | Promise<void>;

/**
 * Tells when the phones and browsers of answered calls have left them, by id, as was reported and has not been handled
 * yet.
 */
export type LeftAt = (trx: Db, calls: Session[]) => Promise<Map<string, Date>>;

interface Deps extends Pick<Platform, 'db' | 'clock'> {
  content: Content;
  leftAt: LeftAt;
  listeners: Listener[];
  afterEnd: AfterEnd[];
}

/** A session to insert. */
export type Addition = Omit<NewSession, 'id' | 'session_data' | 'created_at' | 'updated_at'> & {
  /** Where something else in the transaction names it already. */
  id?: string;
  session_data?: object | undefined;
};

/** JSON that is encrypted with ENCRYPT_CONTENT. */
const DATA = ['variables', 'metadata', 'session_data'] as const;

/** Changes per commit, and changes that may queue. */
const LIMITS = { batch_size: 200, queue_depth: 100_000 };

/** The only place where sessions begin and change their states. */
export function createTransitions({ db, clock, content, leftAt, listeners, afterEnd }: Deps) {
  const following = new Set<Promise<unknown>>();

  /** Inserts sessions with the first entries of their timelines; undefined for a room that has a session. */
  async function addEach(trx: Db, sessions: Addition[]): Promise<(Session | undefined)[]> {
    if (sessions.length === 0) return [];
    const now = clock.now();
    const rows = sessions.map((session) => ({
      ...session,
      id: session.id ?? newId(),
      event_id: newId(),
      created_at: now,
      updated_at: now,
      session_data: JSON.stringify(session.session_data ?? {}),
    }));
    if (content.isOn) for (const row of rows) await closeData(trx, row);
    const added = new Map((await insertSessions(trx, rows)).map((session) => [session.id, session]));
    return rows.map(({ id }) => added.get(id));
  }

  async function closeData(trx: Db, row: Pick<NewSession, 'user_id' | (typeof DATA)[number]>): Promise<void> {
    for (const name of DATA) {
      const json = row[name];
      if (json && json !== '{}') row[name] = await content.closeJson(trx, row.user_id, json);
    }
  }

  /** Locks the sessions, advances them, writes their rows and timelines, and calls the listeners. */
  async function transition(trx: Db, changes: Change[], lock: Lock): ReturnType<Apply> {
    const current = new Map<string, LockedSession>();
    for (const session of await lockSessions(trx, changes, lock)) current.set(session.id, session);
    const left = await leftBefore(trx, changes, current);
    const results = changes.map((change) => {
      const before = current.get(change.id);
      if (!before) return undefined;
      const at = change.signal.at ?? left.get(change.id) ?? clock.now();
      const next = advance(before, { ...change.signal, at });
      if (!next) return null;
      const updated_at = latest(clock.now(), before.updated_at);
      const after = { ...before, ...next, ...change.columns, updated_at, last_event: before.last_event + 1 };
      current.set(change.id, after);
      return { before, after, at, has_endpoints: before.has_endpoints };
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

  async function leftBefore(trx: Db, changes: Change[], current: Map<string, Session>): Promise<Map<string, Date>> {
    const undated = changes.filter(({ signal }) => !signal.at).flatMap(({ id }) => current.get(id) ?? []);
    const answered = undated.filter(({ call_status }) => call_status === 'ANSWERED');
    return answered.length > 0 ? leftAt(trx, answered) : new Map();
  }

  /** Does what follows the ends among these transitions. */
  async function act(committed: Transition[]): Promise<void> {
    const ended = committed.filter(({ after }) => isFinal(after));
    const work = Promise.all(ended.flatMap(({ after }) => afterEnd.map((follow) => follow(after))));
    following.add(work);
    await work.finally(() => following.delete(work));
  }

  /** Runs `work` in a transaction in which it may change sessions; what follows ends comes after its commit. */
  async function transact<T>(work: (trx: Db, apply: Apply) => Promise<T>): Promise<T> {
    const { result, committed } = await db.transaction().execute(async (trx) => {
      const committed: Transition[] = [];
      const result = await work(trx, async (changes) => {
        const results = await transition(trx, changes, 'wait');
        committed.push(...results.filter((one) => one != null));
        return results;
      });
      return { result, committed };
    });
    await act(committed);
    return result;
  }

  // A locked session is skipped: waiting for it would delay the whole batch, and failing the batch would need a
  // transaction for each session.
  const changeInBatch = createGroupCommit<Change, Transition | null | undefined>({
    runBatch: (changes) => db.transaction().execute((trx) => transition(trx, changes, 'skip')),
    limits: LIMITS,
  });

  /**
   * Changes one session; concurrent changes share a commit. Returns the session after the signal; null if the signal
   * changes nothing: it is late, repeated, or not possible from here.
   */
  async function apply(id: string, signal: Change['signal'], columns?: Change['columns']): Promise<Session | null> {
    const change: Change = { id, signal, ...(columns && { columns }) };
    const result = await changeInBatch(change);
    if (result === undefined) {
      const [late] = await transact((_trx, applyEach) => applyEach([change]));
      return late?.after ?? null;
    }
    const acted = result && act([result]);
    // Only an end waits until the room is closed: a provider that hangs must not delay what reports its own failure.
    if (signal.kind === 'ended') await acted;
    return result?.after ?? null;
  }

  return {
    addEach,
    transact,
    apply,
    /** Resolves when everything that follows ends is done. */
    settled: async () => {
      await Promise.all(following);
    },
  };
}
