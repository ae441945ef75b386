import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** A database that accepts and never answers must not hold a request for ever. */
const QUERY_TIMEOUT_MS = 10_000;
const INT8 = 20;

/** Opens a pool; connects on first use. `onIdleError` hears of connections that break while nobody uses them. */
export function openPostgres(url: string, max: number, onIdleError: (error: Error) => void): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    // The driver gives int8 as text; ours are counts, far below 2^53, as the embedded database gives them.
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as never },
  });
  // Without a listener a lost connection ends the process: an idle one is told to the pool, one in use to its own client,
  // whose query fails beside it.
  pool.on('error', onIdleError);
  pool.on('connect', (client) => client.on('error', () => {}));
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
