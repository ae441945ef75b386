import { after } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { insertManyRows } from '../../support/many-rows.ts';
import { createPlans, type Plans } from '../../support/plans.ts';
import { watchStatements } from '../../support/statements.ts';

/** A database with many rows in every table that grows, and all statements that it is sent from then on. */
export const database = await openTestDatabase(true);
after(() => database.close());
await insertManyRows(database);
export const sent = watchStatements(database);
export const { explain, rowsRead, scannedBy } = createPlans(database.db);

const ROLLED_BACK = new Error('rolled back');

/** Looks at the plans that there would be without these indexes. */
export async function withoutIndexes(names: string[], look: (plans: Plans) => Promise<void>): Promise<void> {
  const looking = database.db.transaction().execute(async (trx) => {
    for (const name of names) await trx.schema.dropIndex(name).execute();
    await look(createPlans(trx));
    throw ROLLED_BACK;
  });
  await looking.catch((error: unknown) => {
    if (error !== ROLLED_BACK) throw error;
  });
}
