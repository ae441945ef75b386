import type { Socket } from 'node:net';
import { type PostgresAdapter, PostgresDialect } from 'kysely';
import pg from 'pg';
import { describeUrl, forDriver } from './connection-url.ts';
import type { Database, OnQuery } from './database.ts';
import { watchDisk } from './disk.ts';
import { type Opening, openResults } from './opening.ts';
import { type Layouts, queryPrepared } from './prepared.ts';
import { conflictOf, createRetry, type Retry, RetryingKysely } from './retry.ts';

/** Maximum wait for a free connection of the pool. */
const WAIT_TIMEOUT_MS = 5_000;
/** Maximum time to open a connection: a reachable database takes milliseconds. */
const CONNECT_TIMEOUT_MS = 2_000;
/**
 * Maximum pause between two statements of a transaction. Without it the server would hold the locks of an unreachable
 * client for hours.
 */
const PAUSE_TIMEOUT_MS = 2_000;
/** A database that accepts a query and never responds must not block the request forever. */
const QUERY_TIMEOUT_MS = 10_000;
/** Number of uses after which a statement is not prepared again: by then autovacuum has analyzed growing tables. */
const LAST_PLAN_AFTER = 4096;
const INT8 = 20;

interface PostgresOptions {
  max: number;
  /** Called for connections that break while idle. */
  onIdleError: (error: Error) => void;
  /** Limits each query; 0 is unlimited. */
  queryTimeoutMs?: number | undefined;
  onQuery?: OnQuery | undefined;
  /** Whether statements that ask for it are prepared. By default they are. */
  prepare?: boolean | undefined;
}

/** Opens a pool; connects on first use. */
export function openPostgres(
  url: string,
  { max, onIdleError, queryTimeoutMs = QUERY_TIMEOUT_MS, onQuery, prepare = true }: PostgresOptions,
): Database {
  const pool = new pg.Pool({
    connectionString: forDriver(url),
    max,
    connectionTimeoutMillis: WAIT_TIMEOUT_MS,
    Client: PromptClient,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    // The driver returns int8 as text; our counts are far below 2^53, and the embedded database returns numbers.
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as never },
  });
  // Without an error listener a lost connection ends the process. The pool reports idle ones; one in use reports to
  // its client, beside the query that fails.
  pool.on('error', onIdleError);
  pool.on('connect', (client) => client.on('error', () => {}));
  const retry = createRetry();
  followQueries(pool, { retry, prepare, pauseTimeoutMs: queryTimeoutMs && PAUSE_TIMEOUT_MS });
  const disk = watchDisk();
  const opening: Opening = { open: null };
  const dialect = new PooledDialect({ pool, onCreateConnection: openResults(opening, disk.failed) });
  return {
    kind: 'postgres',
    location: describeUrl(url).location,
    db: new RetryingKysely({ dialect, ...(onQuery && { log: onQuery }) }, retry),
    opening,
    isFull: disk.isFull,
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    conflicts: retry.counts,
    close: () => pool.end(),
  };
}

/** Without Kysely's lock of the session, which would stay behind in a pooler; `migrate.ts` locks by transaction. */
class PooledDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    const none = async () => {};
    return Object.assign(super.createAdapter() as PostgresAdapter, {
      acquireMigrationLock: none,
      releaseMigrationLock: none,
    });
  }
}

/**
 * The pool has a single timeout for waiting and connecting. While connections that cannot be opened occupy the pool,
 * every request waits.
 */
class PromptClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  }
}

/**
 * Repeats single statements after a conflict, and prepares those that ask for it.
 *
 * Closes a connection after a query timeout, because anything sent behind that query would wait as well, and after the
 * server has refused to write, because it has become a standby and another server is the primary. Also closes the idle
 * connections: they may be just as useless, and each would cost its next user the same.
 */
function followQueries(
  pool: pg.Pool,
  { retry, prepare, pauseTimeoutMs }: { retry: Retry; prepare: boolean; pauseTimeoutMs: number },
): void {
  const idle = new Set<pg.PoolClient>();
  const judge = (error: unknown, client: pg.PoolClient) => {
    if (!isTimeout(error) && !isReadOnly(error)) return;
    // Otherwise the pool hands it to a query that waits, before it has noticed that the connection is closed.
    void client.end();
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
    // Otherwise the failed rollback on the connection that the server has closed would hide why it has.
    let paused: unknown;
    const notice = (error: unknown): void => {
      if (conflictOf(error) === 'pause_timeout') paused = error;
    };
    client.on('error', notice);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const queryNamed = prepare ? createPreparer(query) : () => undefined;
    client.query = ((...args: unknown[]) => {
      const ask = () => (queryNamed(args) ?? query(...limited(args, pauseTimeoutMs))) as Promise<unknown>;
      // Within a transaction all of it is repeated: the server has rolled it back.
      const answer = client.getTransactionStatus() === 'I' ? retry(ask) : ask();
      return answer.catch((error) => {
        judge(error, client);
        notice(error);
        throw paused ?? error;
      });
    }) as typeof client.query;
  });
}

/**
 * Statements that begin with `-- prepared: name` are parsed and planned once per connection. Use it only for frequent
 * statements that list their columns: a prepared `select *` fails once a migration adds a column.
 *
 * PostgreSQL keeps a plan until autovacuum has analyzed the tables, up to a minute later: a plan made for the empty
 * tables of a new installation would scan them while they grow. So each connection prepares a statement again, under
 * another name, after 32, 64, 128, ... uses.
 */
function createPreparer(query: (query: object) => unknown) {
  const uses = new Map<string, number>();
  const layouts: Layouts = new Map();
  /** Undefined for other statements. */
  return ([text, values]: unknown[]): Promise<unknown> | undefined => {
    const statement = typeof text === 'string' ? /^\s*-- prepared: (\w+)\n/.exec(text)?.[1] : undefined;
    if (statement === undefined) return undefined;
    const used = uses.get(statement) ?? 0;
    if (used < LAST_PLAN_AFTER) uses.set(statement, used + 1);
    const name = `${statement}_${32 - Math.clz32(used >> 5)}`;
    return queryPrepared(query, layouts, { name, text: text as string, values });
  };
}

/**
 * Limits the pauses of a transaction that begins, in the same message. A setting of the connection would be lost behind
 * a pooler, whose next transaction may get another connection of the server, or would apply to other clients.
 */
function limited(args: unknown[], pauseTimeoutMs: number): unknown[] {
  const [text] = args;
  if (pauseTimeoutMs === 0 || typeof text !== 'string' || !/^(begin|start transaction)\b/.test(text)) return args;
  return [`${text}; set local idle_in_transaction_session_timeout = ${pauseTimeoutMs}`];
}

function streamOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

// The driver's error has no code.
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006';
}
