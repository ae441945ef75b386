import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

/** The usage of one model in the conversations of a scenario; without a `unit_cost` it is unpriced. */
export interface TestUsage {
  provider: string;
  model: string;
  event_type: string;
  /** Plain decimals. */
  quantity: string;
  unit_cost?: string | null | undefined;
}

/** Adds to the usage of test runs on a day, in one statement. Keys are sorted, so that writers do not deadlock. */
export async function addTestUsage(
  trx: Db,
  { user_id, agent_id, agent_version, day }: { user_id: string; agent_id: string; agent_version: number; day: Date },
  used: TestUsage[],
): Promise<void> {
  const column = (name: keyof TestUsage) => used.map((one) => one[name] ?? null);
  await sql`
    insert into test_usage_rollups as rollup (user_id, day, agent_id, provider, event_type, model, recorded_on,
      agent_version, quantity, total_cost, events, unpriced)
    select ${user_id}, (${day}::timestamptz at time zone 'UTC')::date, ${agent_id}, provider, event_type, model,
      (${day}::timestamptz at time zone 'UTC')::date, ${agent_version}::integer, sum(quantity),
      coalesce(sum(quantity * unit_cost), 0), count(*), count(*) filter (where unit_cost is null)
    from unnest(
      ${column('provider')}::text[], ${column('event_type')}::text[], ${column('model')}::text[],
      ${column('quantity')}::numeric[], ${column('unit_cost')}::numeric[]
    ) as one (provider, event_type, model, quantity, unit_cost)
    group by provider, event_type, model order by provider, event_type, model
    on conflict (user_id, day, agent_id, provider, event_type, model, agent_version) do update set
      quantity = rollup.quantity + excluded.quantity, total_cost = rollup.total_cost + excluded.total_cost,
      events = rollup.events + excluded.events, unpriced = rollup.unpriced + excluded.unpriced`.execute(trx);
}

/** Gives the usage of a user to the pseudonym that replaces it. */
export async function renameTestUsage(trx: Db, user_id: string, pseudonym: string): Promise<void> {
  await trx.updateTable('test_usage_rollups').set({ user_id: pseudonym }).where('user_id', '=', user_id).execute();
}
