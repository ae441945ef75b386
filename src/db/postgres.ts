import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** A database that accepts and never answers must not hold a request for ever. */
const QUERY_TIMEOUT_MS = 10_000;
const INT8 = 20;

/**
 * Opens a pool; connects on first use. `onIdleError` hears of connections that break while nobody uses them. A query may take
 * `queryTimeoutMs`; 0 is for ever.
 */
export function openPostgres(
  url: string,
  max: number,
  onIdleError: (error: Error) => void,
  queryTimeoutMs = QUERY_TIMEOUT_MS,
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    // Of a client that it cannot hear any more the server would keep the transaction, and its locks, for hours.
    idle_in_transaction_session_timeout: queryTimeoutMs,
    keepAlive: true,
    // The driver gives int8 as text; ours are counts, far below 2^53, as the embedded database gives them.
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as never },
  });
  // Without a listener a lost connection ends the process: an idle one is told to the pool, one in use to its own client,
  // whose query fails beside it.
  pool.on('error', onIdleError);
  pool.on('connect', (client) => closeOnTimeout(client.on('error', () => {})));
  const { host, port, pathname } = new URL(url);
  return {
    kind: 'postgres',
    location: `${host || `localhost:${port || 5432}`}${pathname}`,
    db: new Kysely({ dialect: new PostgresDialect({ pool }) }),
    jobs: { executeSql: (text, values) => pool.query(text, values) },
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

/** Closes the connection when a query on it times out: what is sent behind that query, a rollback or the next request, would wait in vain too. */
function closeOnTimeout(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const answer = query(...args);
    if (answer instanceof Promise)
      answer.catch((error) => (isTimeout(error) ? (client as pg.Client).end() : undefined));
    return answer;
  }) as typeof client.query;
}

// The driver gives it no code.
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
