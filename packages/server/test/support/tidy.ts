import assert from 'node:assert/strict';
import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Service } from '@switchboard/testkit/service.ts';

/** Has the retention work begin, and waits until it rests. */
export async function tidy(service: Service): Promise<void> {
  const work = service.database.db.selectFrom('work').select('due_at').where('kind', '=', 'retention');
  // A service that has just started may not have added it yet.
  const [before] = await eventually(
    async () => (await work.execute()).map(({ due_at }) => due_at),
    ({ length }) => length > 0,
  );
  assert.ok(before);
  await eventually(
    async () => {
      await service.app.reconcile();
      return (await work.executeTakeFirstOrThrow()).due_at;
    },
    (due) => due > before,
  );
}
