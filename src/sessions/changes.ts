import type { Database } from '../db/database.ts';
import { createGroupCommit } from '../db/group-commit.ts';
import type { Db } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { lockFreeSessions, markAgentsJoined, type StateChange, updateStates } from './changes-store.ts';
import { advance, isFinal, latest, type Signal } from './lifecycle.ts';
import type { Session } from './store.ts';

/** Somebody else has locked the session, or changes it in the same group: it is to be changed alone, and waited for. */
export const HELD = 'held';

const MOST = { at_once: 200, waiting: 100_000 };

interface Deps {
  db: Database['db'];
  clock: Clock;
  announce: (trx: Db, session: Session) => Promise<void>;
  onEnd: (trx: Db, sessions: Session[]) => Promise<void>;
}

/** What happens to many sessions at the same time is written together: a commit costs a write to the disk, however much it holds. */
export function createChanges({ db, clock, announce, onEnd }: Deps) {
  function applyAll(items: { id: string; signal: Signal }[]): Promise<(Session | null | typeof HELD)[]> {
    return db.transaction().execute(async (trx) => {
      // One that waits for a lock would hold up the others.
      const locked = await lockFreeSessions(trx, [...new Set(items.map(({ id }) => id))]);
      const free = new Map(locked.map((session) => [session.id, session]));
      const changes = new Map<number, StateChange>();
      const results = items.map(({ id, signal }, index) => {
        const before = free.get(id);
        if (!before) return HELD;
        free.delete(id);
        const next = advance(before, signal);
        const updated_at = latest(clock.now(), before.updated_at);
        if (next) changes.set(index, { ...stateOf(next), id, event_id: newId(), updated_at });
        return null;
      });
      const changed = await write(trx, [...changes.values()], locked);
      return results.map((result, index) => changed.get(changes.get(index)?.id ?? '') ?? result);
    });
  }

  async function write(trx: Db, changes: StateChange[], before: Session[]): Promise<Map<string, Session>> {
    if (changes.length === 0) return new Map();
    const changed = new Map((await updateStates(trx, changes)).map((session) => [session.id, session]));
    for (const { id, call_status } of before) {
      const session = changed.get(id);
      if (session && session.call_status !== null && session.call_status !== call_status) await announce(trx, session);
    }
    const over = [...changed.values()].filter(isFinal);
    if (over.length > 0) await onEnd(trx, over);
    return changed;
  }

  const apply = createGroupCommit({ doAll: applyAll, most: MOST });
  const markJoined = createGroupCommit<string, boolean>({
    most: MOST,
    doAll: async (ids) => {
      const marked = await markAgentsJoined(db, ids, clock.now());
      return ids.map((id) => marked.has(id));
    },
  });

  return {
    /** The session after the signal, null when it changes nothing, or `HELD`. */
    apply: (id: string, signal: Signal) => apply({ id, signal }),
    /** False when the session could not be locked at once. */
    markAgentJoined: markJoined,
  };
}

function stateOf(state: Parameters<typeof advance>[0]) {
  const { status, call_status, started_at, ended_at, duration, end_reason, sip_status_code } = state;
  return { status, call_status, started_at, ended_at, duration, end_reason, sip_status_code };
}
