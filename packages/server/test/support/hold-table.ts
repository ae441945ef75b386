import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import type { Tables } from '../../src/db/tables.ts';

/** Keeps everybody from a table until the function that it gives is called. */
export async function holdTable(db: Database['db'], table: keyof Tables): Promise<() => Promise<void>> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = db.transaction().execute(async (trx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx);
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return () => {
    released.resolve();
    return holding;
  };
}
