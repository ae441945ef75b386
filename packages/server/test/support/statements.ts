import type { CompiledQuery, DatabaseConnection } from 'kysely';
import type { Database } from '../../src/db/database.ts';

export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;

/** Records every statement sent through `database.db`, including begin and commit, in order. */
export function watchStatements(database: Database): Statement[] {
  const sent: Statement[] = [];
  const executor = database.db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  executor.provideConnection = (consumer, options) =>
    provide((connection) => consumer(watched(connection, sent)), options);
  return sent;
}

function watched(connection: DatabaseConnection, sent: Statement[]): DatabaseConnection {
  let isInside = false;
  return new Proxy(connection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      // The embedded database is not sent statements to begin and to commit: its driver has methods for that, named by
      // symbols.
      if (typeof name === 'symbol') {
        return (...args: unknown[]) => {
          sent.push({ sql: isInside ? 'commit' : 'begin', parameters: [] });
          isInside = !isInside;
          return value.apply(target, args);
        };
      }
      if (name !== 'executeQuery') return value.bind(target);
      return (query: CompiledQuery, ...rest: unknown[]) => {
        sent.push({ sql: query.sql, parameters: query.parameters });
        return value.call(target, query, ...rest);
      };
    },
  });
}
