import pg from 'pg';
import { forDriver } from './connection-url.ts';

export const PREPARE_LOST =
  'a pooler in front of PostgreSQL loses prepared statements: the service does without them, at a somewhat higher cost of each query. Set max_prepared_statements (PgBouncer 1.21 or later), or DATABASE_PREPARE=false to stop testing for it';

/**
 * One round suffices behind an idle pooler; a busy one may give each client its own connection for a while. With three,
 * one start in 150 beside a few other clients did not notice, and its process failed requests until it ended.
 */
const ROUNDS = 25;
const TIMEOUT_MS = 2_000;
/** `duplicate_prepared_statement` and `invalid_sql_statement_name`: it was prepared on another server connection. */
const LOST = /^(42P05|26000)$/;

/**
 * Whether a prepared statement can be executed again in a later transaction. Behind a pooler in transaction mode the
 * next transaction may get another server connection, which does not know it, or knows one of another client.
 */
export async function keepsPreparedStatements(url: string): Promise<boolean> {
  const clients = [1, 2].map(
    () =>
      new pg.Client({
        connectionString: forDriver(url),
        connectionTimeoutMillis: TIMEOUT_MS,
        query_timeout: TIMEOUT_MS,
      }),
  );
  try {
    for (const client of clients) client.on('error', () => {});
    for (const client of clients) await client.connect();
    for (let round = 0; round < ROUNDS; round++) {
      for (const client of clients) await execute(client, 'switchboard_shared');
      await Promise.all(clients.map((client, index) => execute(client, `switchboard_${index}`)));
    }
    return true;
  } catch (error) {
    if (LOST.test((error as { code?: string }).code ?? '')) return false;
    throw error;
  } finally {
    for (const client of clients) void client.end().catch(() => {});
  }
}

function execute(client: pg.Client, name: string): Promise<unknown> {
  return client.query({ name, text: 'select $1::integer', values: [1] });
}
