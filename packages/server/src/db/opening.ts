import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';
import { SEALED } from '../lib/json.ts';

type Rows = Record<string, unknown>[];
/** Runs a statement on the connection whose result is being opened: in a transaction there may be no other. */
export type RunHere = <R>(text: string, values: unknown[]) => Promise<R[]>;

/** Decrypts what is encrypted in rows, in place. */
export interface Opening {
  /** Null until the service that reads has its keys. */
  open: ((rows: Rows, run: RunHere) => Promise<void>) | null;
}

/**
 * Has every result decrypted on its way from the database, so that no code that reads knows which columns are
 * encrypted, and passes errors to `failed`: a dialect's `onCreateConnection`. Only whole columns are encrypted: nothing
 * is looked for inside of JSON. One function for both, because each takes time with every statement.
 */
export const openResults =
  (opening: Opening, failed: (error: unknown) => void) =>
  async (connection: DatabaseConnection): Promise<void> => {
    const execute = connection.executeQuery.bind(connection);
    const run: RunHere = async <R>(text: string, values: unknown[]) =>
      (await execute<R>(CompiledQuery.raw(text, values))).rows;
    connection.executeQuery = async <R>(...args: Parameters<typeof execute>): Promise<QueryResult<R>> => {
      let result: QueryResult<unknown>;
      try {
        result = await execute(...args);
      } catch (error) {
        failed(error);
        throw error;
      }
      if (opening.open && result.rows.some(hasClosed)) await opening.open(result.rows as Rows, run);
      return result as QueryResult<R>;
    };
  };

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

/** The error with which a value is refused; undefined if it can be read. */
export function errorOf<T extends object>(row: T, name: keyof T): unknown {
  try {
    void row[name];
  } catch (error) {
    return error;
  }
}

/** Whether a value may be encrypted. */
export function isClosed(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(SEALED);
}
