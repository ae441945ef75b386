import { CompiledQuery, type DatabaseConnection, type Dialect, type QueryResult } from 'kysely';
import { SEALED } from '../lib/json.ts';

type Rows = Record<string, unknown>[];
/** Runs a statement on the connection whose result is being opened: in a transaction there may be no other. */
export type RunHere = (text: string, values: unknown[]) => Promise<Rows>;

/** Decrypts what is encrypted in rows, in place. */
export interface Opening {
  /** Null until the service that reads has its keys. */
  open: ((rows: Rows, run: RunHere) => Promise<void>) | null;
}

/**
 * Has every result decrypted on its way from the database, so that no code that reads knows which columns are
 * encrypted. Only whole columns are: nothing is looked for inside of JSON.
 */
export function opensResults<D extends Dialect>(dialect: D, opening: Opening): D {
  const createDriver = dialect.createDriver.bind(dialect);
  const seen = new WeakSet<DatabaseConnection>();
  dialect.createDriver = () => {
    const driver = createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    driver.acquireConnection = async (...args) => {
      const connection = await acquire(...args);
      if (!seen.has(connection)) openOn(connection, opening);
      seen.add(connection);
      return connection;
    };
    return driver;
  };
  return dialect;
}

function openOn(connection: DatabaseConnection, opening: Opening): void {
  const execute = connection.executeQuery.bind(connection);
  const run: RunHere = async (text, values) => (await execute(CompiledQuery.raw(text, values))).rows as Rows;
  connection.executeQuery = async <R>(...args: Parameters<typeof execute>): Promise<QueryResult<R>> => {
    const result = await execute(...args);
    if (opening.open && result.rows.some(hasClosed)) await opening.open(result.rows as Rows, run);
    return result as QueryResult<R>;
  };
}

function hasClosed(row: unknown): boolean {
  for (const name in row as Rows[0]) if (isClosed((row as Rows[0])[name])) return true;
  return false;
}

/**
 * Makes reading this column throw, instead of failing the whole query: other rows may be those of other users. Copying
 * such a row throws as well: check `isReadable`, or change the row in place.
 */
export function refuse(row: object, name: string, error: Error): void {
  const get = () => {
    throw error;
  };
  Object.defineProperty(row, name, { enumerable: true, get });
}

/** Whether a value can be read, for those who go through rows of many users. */
export function isReadable<T extends object>(row: T, name: keyof T): boolean {
  return Object.getOwnPropertyDescriptor(row, name)?.get === undefined;
}

/** Whether a value may be encrypted. */
export function isClosed(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(SEALED);
}
