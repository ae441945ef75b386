import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Service } from '@switchboard/testkit/service.ts';

/** Has the retention work begin, and waits until it rests. */
export async function tidy(service: Service): Promise<void> {
  const work = service.database.db.selectFrom('work').select('due_at').where('kind', '=', 'retention');
  const before = (await work.executeTakeFirstOrThrow()).due_at;
  await eventually(
    async () => {
      await service.app.reconcile();
      return (await work.executeTakeFirstOrThrow()).due_at;
    },
    (due) => due > before,
  );
}
