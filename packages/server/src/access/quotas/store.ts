import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

/** Bytes stored for a user, and written in the current minute. */
export interface Stored {
  stored_bytes: number;
  written_bytes: number;
  /** Seconds until the next minute, by the database's clock. */
  minute_left_s: number;
}

/** Changes added up in one statement: more would keep their locks for long. */
const BATCH = 20_000;

export async function readStored(db: Db, user_id: string): Promise<Stored> {
  const { rows } = await sql<Stored>`
    -- prepared: read_stored
    select greatest(0, coalesce((select bytes from stored_bytes where user_id = ${user_id}), 0) + coalesce(sum(bytes), 0))::bigint
        as stored_bytes,
      coalesce(sum(written) filter (where at >= date_trunc('minute', now())), 0)::bigint as written_bytes,
      ceil(60 - extract(second from now()))::integer as minute_left_s
    from storage_changes where user_id = ${user_id}`.execute(db);
  return rows[0] ?? { stored_bytes: 0, written_bytes: 0, minute_left_s: 60 };
}

/** Percentages of the quota that are reported. */
export const THRESHOLDS = [80, 100] as const;

/** The threshold that bytes have reached, 0 below the first. */
const reachedBy = (limit: number | null) => {
  const [first, last] = THRESHOLDS.map((percent) => sql`bytes * 100 >= ${limit}::bigint * ${sql.lit(percent)}`);
  return sql`case when ${last} then ${sql.lit(THRESHOLDS[1])} when ${first} then ${sql.lit(THRESHOLDS[0])} else 0 end`;
};

/**
 * Adds up changes of earlier minutes, in the order of their users; those that another process is adding up are
 * skipped. Returns whether there may be more, and the users who have crossed a threshold, in either direction.
 */
export async function addUpChanges(db: Db, limit: number | null) {
  const { rows } = await sql<{ count: number; crossing: string[] }>`
    with due as (
      delete from storage_changes where ctid = any (array(
        select ctid from storage_changes where at < date_trunc('minute', now()) limit ${sql.lit(BATCH)} for update skip locked
      )) returning user_id, bytes
    ), added as (
      insert into stored_bytes as known (user_id, bytes)
      select user_id, sum(bytes) from due group by user_id order by user_id
      on conflict (user_id) do update set bytes = known.bytes + excluded.bytes
      returning user_id, bytes, reported
    )
    select (select count(*) from due) as count,
      array(select user_id from added where reported <> ${reachedBy(limit)}) as crossing`.execute(db);
  const { count, crossing = [] } = rows[0] ?? {};
  return { isMore: count === BATCH, crossing };
}

/** Records which threshold a user has reached. Returns what it was before, and is; undefined for one without a row. */
export async function recordReached(trx: Db, user_id: string, limit: number | null) {
  const { rows } = await sql<{ bytes: number; before: number; after: number }>`
    with found as (
      select user_id, bytes, reported as before, ${reachedBy(limit)} as after from stored_bytes
      where user_id = ${user_id} for update
    )
    update stored_bytes set reported = found.after from found where stored_bytes.user_id = found.user_id
    returning found.bytes, found.before, found.after`.execute(trx);
  return rows[0];
}

/** The user who was counted last, and the next one in the order of ids; null after the last one. */
interface Uncounted {
  after_user: string;
  user_id: string | null;
}

/** The user whose data of before the counting is counted next; undefined once all of it is. */
export async function nextUncounted(db: Db): Promise<Uncounted | undefined> {
  const next = (table: string) =>
    sql`(select user_id from ${sql.table(table)} where user_id > after_user order by user_id limit 1)`;
  const { rows } = await sql<Uncounted>`
    select after_user, least(${next('sessions')}, ${next('agents')}, ${next('callbacks')}, ${next('audit_log')}) as user_id
    from stored_bytes_progress where after_user is not null`.execute(db);
  return rows[0];
}

/** Rows that one statement counts: those of a user with millions of calls take longer than a statement may. */
const ROWS_AT_ONCE = 20_000;

/**
 * Counts all that is stored for a user, and returns how much of it is missing in the user's figures. In a transaction
 * of isolation level repeatable read, where all statements see the same; what is written meanwhile adds to the figures.
 */
export async function findMissing(trx: Db, user_id: string, rowsAtOnce = ROWS_AT_ONCE): Promise<number> {
  await sql`declare stored no scroll cursor for select bytes from stored_content where user_id = ${user_id}`.execute(
    trx,
  );
  const next = sql<{ bytes: number }>`fetch forward ${sql.lit(rowsAtOnce)} from stored`;
  let [bytes, count] = [0, 0];
  do {
    const { rows } = await next.execute(trx);
    bytes += rows.reduce((sum, row) => sum + Number(row.bytes), 0);
    count = rows.length;
  } while (count === rowsAtOnce);
  const known = await sql<{ bytes: number }>`
    select (coalesce((select bytes from stored_bytes where user_id = ${user_id}), 0) + coalesce(sum(bytes), 0))::bigint as bytes
    from storage_changes where user_id = ${user_id}`.execute(trx);
  return bytes - Number(known.rows[0]?.bytes ?? 0);
}

/** Makes sure of a row of the user: an erasure that deletes it while the user is counted is noticed. */
export async function addRow(db: Db, user_id: string): Promise<void> {
  await sql`insert into stored_bytes values (${user_id}, 0) on conflict do nothing`.execute(db);
}

/** Adds what was missing to the figures of a user, unless another process has done so. */
export async function recordCounted(db: Db, { after_user, user_id }: Uncounted, missing: number): Promise<void> {
  await sql`
    with counted as (
      update stored_bytes_progress set after_user = ${user_id} where after_user = ${after_user} returning after_user
    ), kept as (
      -- An erasure that is deleting it is waited for.
      select user_id from stored_bytes where user_id = ${user_id} for key share
    )
    insert into storage_changes (user_id, bytes, written)
    select user_id, ${missing}::bigint, 0 from counted join kept on user_id = after_user`.execute(db);
}

/** The changes first: one that is being added up is part of the sum then. */
export async function forgetStored(trx: Db, user_id: string): Promise<void> {
  await trx.deleteFrom('storage_changes').where('user_id', '=', user_id).execute();
  await trx.deleteFrom('stored_bytes').where('user_id', '=', user_id).execute();
}
