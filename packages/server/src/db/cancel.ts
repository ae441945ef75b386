import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Db } from './tables.ts';

/**
 * Runs `work` in the transaction `trx` and cancels its statement when `signal` fires; `work` then rejects, unless no
 * statement was running. PostgreSQL only: the embedded database runs its statements in this thread.
 */
export async function cancelable<T>(
  { kind, db }: Pick<Database, 'kind' | 'db'>,
  trx: Db,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  if (kind === 'embedded') return work();
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
  signal.throwIfAborted();
  let canceled: Promise<unknown> = Promise.resolve();
  const cancel = () => {
    // If canceling fails, for example because no connection is free, the statement runs to completion.
    canceled = sql`select pg_cancel_backend(${rows[0]?.pid})`.execute(db).catch(() => {});
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', cancel);
    // A late cancel would hit a statement of the connection's next user.
    await canceled;
  }
}
