import type { Db } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { createFailureLog } from '../lib/failure-log.ts';
import type { Logger } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { createAttempt } from './attempt.ts';
import { type Kind, type Kinds, leaseOf } from './kinds.ts';
import { addWork, type Held, renewLeases, takeDue, takeOne } from './store.ts';

export type Runner = ReturnType<typeof createRunner>;

interface Deps {
  db: Db;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  /** How often work is looked for that other processes have added, or that has become due. */
  intervalMs: number;
  kinds: () => Kinds;
}

/** Does the work of these kinds, whichever process has added it. */
export function createRunner({ db, clock, log, metrics, intervalMs, kinds }: Deps) {
  const running = new Map<Held, { kind: Kind; end: Promise<void> }>();
  /** Kinds of which more may be due than was taken. */
  const more = new Set<string>();
  const stopping = new AbortController();
  const attempt = createAttempt({ db, clock, log, metrics, stopping: stopping.signal });
  const failures = createFailureLog(log, 'looking for work');
  let waking = new AbortController();
  let rounds = Promise.resolve();
  let heartbeats: NodeJS.Timeout | undefined;
  const kindOf = (name: string) => kinds()[name] as Kind;
  const ended = () => Promise.allSettled([...running.values()].map(({ end }) => end));

  /** Looks for due work at once. */
  function wake(): void {
    waking.abort();
  }

  /** Takes due work and begins it; returns how much that was. */
  async function takeSome(): Promise<number> {
    const inUse = Map.groupBy(running.keys(), ({ kind }) => kind);
    const wanted = Object.entries(kinds())
      .map(([name, kind]) => {
        const room = (kind.concurrency ?? 1) - (inUse.get(name)?.length ?? 0);
        return { kind: name, leaseMs: leaseOf(kind), room };
      })
      .filter(({ room }) => room > 0);
    if (stopping.signal.aborted || wanted.length === 0) return 0;
    const taken = await takeDue(db, wanted, clock.now());
    const byKind = Map.groupBy(taken, ({ kind }) => kind);
    for (const { kind, room } of wanted) {
      if (byKind.get(kind)?.length === room) more.add(kind);
      else more.delete(kind);
    }
    // Its errors are logged and stored.
    for (const held of taken) begin(held).catch(() => {});
    return taken.length;
  }

  function begin(held: Held): Promise<void> {
    const kind = kindOf(held.kind);
    const end = attempt(held, kind).finally(() => {
      running.delete(held);
      if (more.has(held.kind)) wake();
    });
    running.set(held, { kind, end });
    return end;
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      waking = new AbortController();
      await takeSome().then(
        () => failures.succeeded(),
        (err: unknown) => failures.failed(err),
      );
      await clock.sleep(intervalMs, AbortSignal.any([waking.signal, stopping.signal])).catch(() => {});
    }
  }

  async function renewAll(): Promise<void> {
    const leases = [...running].map(([held, { kind }]) => ({ ...held, leaseMs: leaseOf(kind) }));
    // One that cannot be renewed expires, and what its holder reports then is ignored.
    if (leases.length > 0) await renewLeases(db, leases).catch(() => {});
  }

  async function addRecurring(): Promise<void> {
    const due_at = clock.now();
    const recurring = Object.entries(kinds()).filter(([, { everyMs }]) => everyMs !== undefined);
    const work = recurring.map(([kind]) => ({ kind, key: '', payload: {}, due_at, user_id: null }));
    if (work.length > 0) await addWork(db, work, false, due_at);
  }

  return {
    wake,
    /** Does the work now, or returns false if there is none or another process does it. Throws its error. */
    runOne: async (kind: string, key: string): Promise<boolean> => {
      const held = await takeOne(db, kind, key, leaseOf(kindOf(kind)));
      if (held) await begin(held);
      return held !== undefined;
    },
    /** Does everything that is due, and recurring work although it may not be. */
    round: async (): Promise<void> => {
      await addRecurring();
      while ((await takeSome()) > 0 || running.size > 0) await ended();
    },
    start: (): void => {
      heartbeats = setInterval(() => void renewAll(), Math.min(60_000, ...Object.values(kinds()).map(leaseOf)) / 3);
      rounds = addRecurring()
        .catch((err: unknown) => failures.failed(err))
        .then(loop);
    },
    /** Takes no more work; resolves when what was begun has ended, or has let go. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await rounds;
      await ended();
      clearInterval(heartbeats);
    },
  };
}
