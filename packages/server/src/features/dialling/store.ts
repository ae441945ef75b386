import { type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';

export type Allowance = Omit<Selectable<Tables['call_allowances']>, 'user_id'>;

/**
 * The allowances of different users, locked until the transaction ends; `fresh` for users without one. Locked in the
 * order of the ids, to avoid deadlocks.
 */
export async function lockAllowances(trx: Db, user_ids: string[], fresh: Allowance): Promise<Map<string, Allowance>> {
  const rows = await trx
    .insertInto('call_allowances')
    .values(user_ids.toSorted().map((user_id) => ({ user_id, ...fresh })))
    // A no-op update, which returns and locks the row.
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(({ ref }) => ({ user_id: ref('excluded.user_id') })),
    )
    .returning(['user_id', 'tokens', 'refilled_at', 'day', 'calls'])
    .execute();
  return new Map(rows.map(({ user_id, ...allowance }) => [user_id, allowance]));
}

export async function deleteAllowance(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('call_allowances').where('user_id', '=', user_id).execute();
}

/** Writes allowances, whose rows are locked. */
export async function saveAllowances(trx: Db, allowances: Map<string, Allowance>): Promise<void> {
  const all = [...allowances.values()];
  await sql`
    update call_allowances as allowance
    set tokens = next.tokens, refilled_at = next.refilled_at, day = next.day, calls = next.calls
    from unnest(
      ${[...allowances.keys()]}::text[], ${all.map(({ tokens }) => tokens)}::double precision[],
      ${all.map(({ refilled_at }) => refilled_at.toISOString())}::timestamptz[],
      ${all.map(({ day }) => day)}::text[], ${all.map(({ calls }) => calls)}::integer[]
    ) as next (user_id, tokens, refilled_at, day, calls)
    where allowance.user_id = next.user_id`.execute(trx);
}

/** How many phones of a user may be connected, and whether the budget is spent. */
export interface Spending {
  phones: number;
  is_over: boolean;
}

/**
 * For each user, the number of dialed phones that may be connected (outbound calls that have not ended, and
 * transfers) and of browsers with an agent; and whether the costs of the month (UTC) have reached the limit of a
 * budget that refuses calls. Only reads the tables of other features.
 *
 * Counts the phones of all users in one pass: with few open calls in its statistics PostgreSQL may read all open
 * sessions for it, which is affordable once, and not once per user.
 */
export async function countPhones(db: Db, user_ids: string[], now: Date): Promise<Map<string, Spending>> {
  const month = sql`${`${now.toISOString().slice(0, 7)}-01`}::date`;
  const { rows } = await sql<Spending & { user_id: string }>`
    select asked.user_id, coalesce(open.phones, 0) + coalesce(transferred.phones, 0) as phones, exists (
      select from budgets where budgets.user_id = asked.user_id and refuse_calls and monthly_limit <= (
        select coalesce(sum(total_cost), 0) from usage_rollups
        where usage_rollups.user_id = asked.user_id and day >= ${month} and day < ${month} + interval '1 month'
      )
    ) as is_over
    from unnest(${user_ids}::text[]) as asked (user_id)
    left join (
      select user_id, count(*)::int as phones from sessions
      where user_id = any(${user_ids}::text[]) and status in ('CREATED', 'ACTIVE')
        and (call_direction = 'OUTBOUND' or dispatched_at is not null)
      group by user_id
    ) as open using (user_id)
    left join (
      select user_id, sum(phones)::int as phones from transfers
      where user_id = any(${user_ids}::text[]) and phones > 0 and counted_until > ${now.toISOString()}::timestamptz
      group by user_id
    ) as transferred using (user_id)`.execute(db);
  return new Map(rows.map(({ user_id, phones, is_over }) => [user_id, { phones, is_over }]));
}
