import type { Socket } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { describeUrl, forDriver } from './connection-url.ts';
import type { Database } from './database.ts';
import { type OnQuery, watchDisk } from './disk.ts';

/** How long a request waits for a connection when all are taken. */
const WAIT_TIMEOUT_MS = 5_000;
/** How long a new connection may take to be made: a database that can be reached takes milliseconds. */
const CONNECT_TIMEOUT_MS = 2_000;
/**
 * Longest pause between two statements of a transaction. Without it the server would keep the locks of an unreachable
 * client for hours.
 */
const PAUSE_TIMEOUT_MS = 2_000;
/** A database that accepts and never answers must not hold a request for ever. */
const QUERY_TIMEOUT_MS = 10_000;
const INT8 = 20;

/**
 * Opens a pool; connects on first use. `onIdleError` hears of connections that break while nobody uses them. A query
 * may take `queryTimeoutMs`; 0 is for ever.
 */
export function openPostgres(
  url: string,
  max: number,
  onIdleError: (error: Error) => void,
  queryTimeoutMs = QUERY_TIMEOUT_MS,
  onQuery?: OnQuery,
): Database {
  const pool = new pg.Pool({
    connectionString: forDriver(url),
    max,
    connectionTimeoutMillis: WAIT_TIMEOUT_MS,
    Client: PromptClient,
    query_timeout: queryTimeoutMs,
    idle_in_transaction_session_timeout: queryTimeoutMs && PAUSE_TIMEOUT_MS,
    keepAlive: true,
    // The driver gives int8 as text; ours are counts, far below 2^53, as the embedded database gives them.
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as never },
  });
  // Without a listener a lost connection ends the process: an idle one is told to the pool, one in use to its own
  // client, whose query fails beside it.
  pool.on('error', onIdleError);
  pool.on('connect', (client) => client.on('error', () => {}));
  closeOnTimeout(pool);
  const disk = watchDisk(undefined, onQuery);
  return {
    kind: 'postgres',
    location: describeUrl(url).location,
    db: new Kysely({ dialect: new PostgresDialect({ pool }), log: disk.log }),
    isFull: disk.isFull,
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

/**
 * The pool has one limit for waiting and for connecting. While connections that cannot be made take up the pool,
 * everybody waits for them.
 */
class PromptClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  }
}

/**
 * Closes a connection when a query on it times out: what is sent behind that query, a rollback or the next request,
 * would wait in vain too. And with it those that are idle: they may be as dead, and each would cost whoever gets it as
 * long again.
 */
function closeOnTimeout(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>();
  const judge = (error: unknown, client: pg.PoolClient) => {
    if (!isTimeout(error)) return;
    streamOf(client).destroy();
    // The pool removes an idle connection that breaks.
    for (const one of idle) streamOf(one).destroy();
  };
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('remove', (client) => idle.delete(client));
  pool.on('release', (error, client) => {
    judge(error, client);
    idle.add(client);
  });
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const answer = query(...prepared(args));
      if (answer instanceof Promise) answer.catch((error) => judge(error, client));
      return answer;
    }) as typeof client.query;
  });
}

/**
 * A statement that begins with the line `-- prepared: name` is parsed and planned once by each connection. Only for
 * what is sent all the time, and names the columns it gives: a prepared `select *` would fail from the moment on that
 * an upgrade adds a column.
 */
function prepared(args: unknown[]): unknown[] {
  const [text, values] = args;
  const name = typeof text === 'string' ? /^\s*-- prepared: (\w+)\n/.exec(text)?.[1] : undefined;
  return name ? [{ name, text, values }, ...args.slice(2)] : args;
}

function streamOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

// The driver gives it no code.
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
