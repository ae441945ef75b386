import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Db } from './tables.ts';

/**
 * Does work in the transaction `trx`, whose statement is canceled when `signal` fires: the work rejects then, unless no
 * statement is in progress. On PostgreSQL alone: the embedded database runs its statements in this thread.
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
    // Where it fails, as for want of a connection, the statement runs to its end.
    canceled = sql`select pg_cancel_backend(${rows[0]?.pid})`.execute(db).catch(() => {});
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', cancel);
    // Later it would hit a statement of whoever has the connection next.
    await canceled;
  }
}
