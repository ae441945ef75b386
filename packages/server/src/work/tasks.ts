import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { type Database, isDatabaseUnavailable } from '../db/database.ts';
import type { Db } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { isId } from '../lib/ids.ts';
import { type FieldProblem, InvalidFields } from '../lib/invalid.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Logger } from '../lib/log.ts';
import { textOf } from './attempt.ts';
import type { Serving } from './serving.ts';
import { deleteWork, findNamed, type Held, lockHeld, renewLeases, settleWork, takeDue } from './store.ts';
import type { TaskKindName } from './task-schema.ts';
import { type Capacity, type Claim, createWaiters } from './task-waiters.ts';

export type Tasks = ReturnType<typeof createTasks>;

/** Work of one kind that workers claim over HTTP. */
export interface TaskKind {
  /** Schema of a result. */
  result: TSchema;
  /** Partial results, for kinds that have any: their schema, and what stores those of the holder of a lease. */
  partial?: { event: TSchema; report(trx: Db, key: string, lease_token: number, events: JsonObject[]): Promise<void> };
  leaseMs: number;
  /** The pause after an attempt that failed; a second by default. */
  pauseMs?: (attempts: number) => number;
  /** After this many attempts it is given up. */
  maxAttempts: number;
  /** The payload for the worker, read when the task is claimed; null if it needs not be done any more. */
  describe(key: string): Promise<JsonObject | null>;
  /** Takes the locks that withdrawing a task takes first, in the same order, to avoid deadlocks. */
  lock?(trx: Db, key: string): Promise<void>;
  /** Stores the result, in the transaction that ends the task. */
  complete(trx: Db, key: string, result: unknown, lease_token: number): Promise<void>;
  /** Records that there will be no result, in the transaction that drops the task. */
  giveUp?(trx: Db, key: string, why: Reason): Promise<void>;
}

interface Reason {
  /** For operators, and for users where nobody waits for the result. */
  error: string;
  /** As the last worker says it to whoever waits. */
  detail?: string | null | undefined;
}

interface Failure extends Reason {
  retryable: boolean;
}

/** A task, as a worker names what it holds. */
interface Named {
  id: string;
  lease_token: number;
  /** The only user whose tasks the worker does: it has lost the lease of any other. Null if it does everybody's. */
  caller: string | null;
}

/** By the names under which work is stored. */
export type TaskKinds = Record<string, TaskKind>;

const RETRY_MS = 1_000;
/** Why tasks without a result are dropped. */
const UNFINISHED = 'No worker has finished it.';
/** The same of tasks that need not be done any more. */
export const NEEDLESS = 'What it is about is no longer there.';
const UNREADABLE_MS = 60_000;
/** The pause after an error that nobody expects. */
const BROKEN_MS = 5_000;

interface Deps {
  db: Database['db'];
  clock: Clock;
  log: Logger;
  kinds: () => TaskKinds;
  serving: Serving;
}

/** Tasks of remote workers: rows of the table of work, each held by one worker until its lease expires. */
export function createTasks({ db, clock, log, kinds, serving }: Deps) {
  const later = (ms: number) => new Date(clock.now().getTime() + ms);
  const waiters = createWaiters({ clock, take, putBack });

  /** Takes due tasks, in one statement. */
  async function take(rooms: Capacity[]): Promise<Held[]> {
    for (const { kind } of rooms) serving.noteServed(kind);
    const wanted = rooms.map((one) => ({ ...one, leaseMs: kindOf(one.kind).leaseMs }));
    return takeDue(db, wanted, clock.now());
  }

  /** Tasks that nobody has tried. */
  function putBack(held: Held[]): Promise<void> {
    const untried = held.map((one) => ({ ...one, attempts: one.attempts - 1, due_at: later(0) }));
    return settleWork(db, untried);
  }

  function kindOf(name: string): TaskKind {
    const kind = kinds()[name];
    if (!kind) throw new AppError('not_found');
    return kind;
  }

  /** Up to `capacity` tasks of a kind; waits for the first as long as `waitMs`, or until `signal` fires. */
  async function claim({ waitMs, ...wanted }: Claim) {
    const { kind, user_id, capacity } = wanted;
    const held =
      waitMs > 0 ? await waiters.claim({ ...wanted, waitMs }) : await take([{ kind, user_id, room: capacity }]);
    const described = held.map((one) => describe(one).catch((error: unknown) => putOff(one, error)));
    return readable(await Promise.allSettled(described), log);
  }

  /**
   * One that cannot be read now is tried again later, and keeps no others from their worker. An error that nobody
   * expects counts as an attempt, so that a task which can never be read is given up.
   */
  async function putOff(held: Held, error: unknown): Promise<null> {
    const isExpected = error instanceof AppError;
    const attempts = isExpected || isDatabaseUnavailable(error) ? held.attempts - 1 : held.attempts;
    const due_at = later(isExpected ? UNREADABLE_MS : BROKEN_MS);
    // If that fails too, it is tried again once its lease has expired.
    await settleWork(db, [{ ...held, attempts, due_at, last_error: textOf(error) }]).catch(() => {});
    if (isExpected) return null;
    throw error;
  }

  async function describe(held: Held) {
    const { kind, key, attempts } = held;
    const { leaseMs, maxAttempts, describe: read } = kindOf(kind);
    const payload = attempts > maxAttempts ? null : await read(key);
    if (payload) return taskOf(held, payload, later(leaseMs));
    await drop(db, kindOf(kind), held, attempts > maxAttempts ? UNFINISHED : NEEDLESS);
    return null;
  }

  /** Extends the lease of a task. Throws `lease_lost`. */
  const renew = (task: Named) => hold(task, extend);

  async function extend(trx: Db, held: Held) {
    const { leaseMs } = kindOf(held.kind);
    await renewLeases(trx, [{ ...held, leaseMs }]);
    return { lease_expires_at: later(leaseMs) };
  }

  /**
   * Stores partial results of a task, and extends its lease. Throws `lease_lost`, and `InvalidFields` for events that
   * do not fit.
   */
  function report(task: Named, events: JsonObject[]) {
    return hold(task, async (trx, held) => {
      const kind = kindOf(held.kind);
      for (const [index, event] of events.entries())
        if (!kind.partial || !Check(kind.partial.event, event)) throw unfit(held.kind, ['events', index]);
      await kind.partial?.report(trx, held.key, task.lease_token, events);
      return extend(trx, held);
    });
  }

  /** Ends a task with its result. Throws `lease_lost`, and `InvalidFields` for a result that does not fit. */
  async function complete(task: Named, result: unknown): Promise<void> {
    await hold(task, async (trx, { kind, key }) => {
      const { result: schema, complete: store } = kindOf(kind);
      if (!Check(schema, result)) throw unfit(kind, 'result');
      await store(trx, key, result, task.lease_token);
      await deleteWork(trx, kind, [key]);
    });
  }

  /** Lets go of a task: another worker may try it a second later, unless it cannot succeed. Throws `lease_lost`. */
  async function fail(task: Named, { error, retryable, detail }: Failure): Promise<void> {
    await hold(task, async (trx, held) => {
      const { maxAttempts, giveUp, pauseMs } = kindOf(held.kind);
      const due_at = retryable && held.attempts < maxAttempts ? later(pauseMs?.(held.attempts) ?? RETRY_MS) : null;
      if (due_at === null) await giveUp?.(trx, held.key, { error, detail });
      await settleWork(trx, [{ ...held, due_at, last_error: error }]);
    });
  }

  function hold<T>({ id, lease_token, caller }: Named, use: (trx: Db, held: Held) => Promise<T>): Promise<T> {
    return db.transaction().execute(async (trx) => {
      const held = isId(id) ? await lockInOrder(trx, kinds(), id, lease_token) : undefined;
      if (!held || (caller !== null && held.user_id !== caller)) throw new AppError('lease_lost');
      serving.noteServed(held.kind);
      return use(trx, held);
    });
  }

  return {
    claim,
    renew,
    report,
    complete,
    fail,
    /** Looks for tasks for the workers that wait. */
    wake: waiters.wake,
    /** Lets all workers go that wait for tasks, also in the future. */
    stop: waiters.stop,
  };
}

/** The tasks that could be read; errors are logged, or the first is thrown if there are no such tasks. */
function readable<T>(described: PromiseSettledResult<T | null>[], log: Logger): T[] {
  const tasks = described.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : []));
  const errors = described.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (tasks.length === 0 && errors.length > 0) throw errors[0];
  for (const err of errors) log.error({ err }, 'a task could not be read; it will be tried again');
  return tasks;
}

/** A task as its worker gets it. */
function taskOf({ id, kind, attempts, lease_token }: Held, payload: JsonObject, lease_expires_at: Date) {
  return { task_id: id, kind: kind as TaskKindName, attempt: attempts, lease_token, lease_expires_at, payload };
}

/** Locks held work, and before it what its kind wants to be locked first. */
async function lockInOrder(trx: Db, kinds: TaskKinds, id: string, lease_token: number): Promise<Held | undefined> {
  const named = await findNamed(trx, id);
  if (!named) return undefined;
  await kinds[named.kind]?.lock?.(trx, named.key);
  return lockHeld(trx, id, lease_token);
}

/** Drops a task that has no result, unless another worker holds it by now. */
async function drop(
  db: Database['db'],
  { giveUp }: TaskKind,
  { id, kind, key, lease_token }: Pick<Held, 'id' | 'kind' | 'key' | 'lease_token'>,
  error: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await lockHeld(trx, id, lease_token))) return;
    await giveUp?.(trx, key, { error });
    await deleteWork(trx, kind, [key]);
  });
}

function unfit(kind: string, field: FieldProblem['field']): InvalidFields {
  return new InvalidFields({ field, msg: `Input should match the schema of ${kind}`, type: 'value_error' });
}
