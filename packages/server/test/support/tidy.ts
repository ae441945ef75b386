import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Service } from '@switchboard/testkit/service.ts';

const LONG_AGO = new Date(0);

/** Has the retention work begin, and waits until it rests. */
export async function tidy(service: Service): Promise<void> {
  const { db } = service.database;
  // Whether or not it has just rested, of itself: only what begins from now on sees what was written until now.
  const begin = db.updateTable('work').set({ due_at: LONG_AGO }).where('kind', '=', 'retention');
  // A service that has just started may not have added it yet.
  await eventually(
    () => begin.where('leased_until', 'is', null).executeTakeFirstOrThrow(),
    ({ numUpdatedRows }) => numUpdatedRows > 0n,
  );
  await eventually(
    async () => {
      await service.app.reconcile();
      return db.selectFrom('work').select('due_at').where('kind', '=', 'retention').executeTakeFirstOrThrow();
    },
    ({ due_at }) => due_at > LONG_AGO,
  );
}
